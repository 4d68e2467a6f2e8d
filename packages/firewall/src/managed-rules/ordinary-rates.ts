// How many ordinary strings each managed rule stops: lines and paragraphs of fortunes and documentation, many of them code.
// Written by npm run ordinary-input -- --write, which says where they are from.
import type { OrdinaryRates } from './managed-rule.ts'

export const ORDINARY_RATES: OrdinaryRates = {
  tried: 309711,
  stopped: 28,
  /** By ID; rules that are not listed stop none. */
  stoppedBy: {
    // Mail injection - Header of a message in a field of a form
    '4705d2bed90604adbde5fd489c096cfb': 4,
    // SQL - Function or name of a database system, as a whole value
    '1969a25112000ef855ace4680a392186': 4,
    // JavaScript - Code for a server that runs it
    c09754d290f84943ccf7d71c92dede04: 4,
    // HTTP - Line of another request or response in a value
    '57b960239e189b5c30b4500bec16b8b4': 3,
    // XSS - Script element with a source or with code
    aaad20408c7298b2add19d0a619521e9: 3,
    // Template injection - Expression that reaches into the interpreter
    '73726e3ce7974d233dab3328dbf12472': 2,
    // File inclusion - A file of the system by its full path
    '65cac47ac8c3454fb6ff9f1f7a4d46cd': 1,
    // Response splitting - Line feed, then a header or a status line
    f2515eb6025de5d1ee497bf6adb01316: 1,
    // Shell - Well-known command with its usual arguments after a separator
    '63d63b65d184c230780b0d68477b401e': 1,
    // File - Address of a script on another server
    '7fd713acf931e6da3515530496db544c': 1,
    // Java - Name of a class that gives access to files, processes or reflection, as a whole value
    fc7d0e04d6d3170d6a1b60f2a9c88f65: 1,
    // Command injection - Common attack commands
    a605fc31640583d362f72981851d2f71: 1,
    // Command injection - Command in place of a value
    '64473811474232918bee1fe83032564b': 1,
    // SSI - Directive of the server in the input
    '7844a8c5ecafe6dd7d73a4dc4cd5a82b': 1,
    // SQLi - Function that makes the server wait
    fc2daa115ed8f9a54fa5f1c6194ac645: 1,
    // XSS - Event handler or form target in a broken attribute or tag
    d8ea510412375f93fc0fd12c6444652c: 1,
  },
}
