// How many ordinary strings each managed rule stops: lines and paragraphs of fortunes and documentation, many of them code
// or markup. Written by npm run ordinary-input -- --write, which says where they are from.
import type { OrdinaryRates } from './managed-rule.ts'

export const ORDINARY_RATES: OrdinaryRates = {
  tried: 255608,
  stopped: 99,
  /** By ID; rules that are not listed stop none. */
  stoppedBy: {
    // XSS - Script element with a source or with code
    aaad20408c7298b2add19d0a619521e9: 71,
    // JavaScript - Code for a server that runs it
    c09754d290f84943ccf7d71c92dede04: 10,
    // Template injection - Expression that reaches into the interpreter
    '73726e3ce7974d233dab3328dbf12472': 4,
    // Mail injection - Header of a message in a field of a form
    '4705d2bed90604adbde5fd489c096cfb': 3,
    // HTTP - Line of another request or response in a value
    '57b960239e189b5c30b4500bec16b8b4': 3,
    // SQL - Function or name of a database system, as a whole value
    '1969a25112000ef855ace4680a392186': 2,
    // Shell - Well-known command with its usual arguments after a separator
    '63d63b65d184c230780b0d68477b401e': 1,
    // PHP - Call of a function whose name is computed
    '8a1aa1daeae771e95633768c42184755': 1,
    // File - Address of a script on another server
    '7fd713acf931e6da3515530496db544c': 1,
    // PHP - Function with access to the system, as a whole value or call
    '40931cd376ae44203166be9fd9f3b5c7': 1,
    // Windows - Condition of a command line
    '606e226660b9a27e847123dd73e877a7': 1,
    // SSI - Directive of the server in the input
    '7844a8c5ecafe6dd7d73a4dc4cd5a82b': 1,
    // XSS - Event handler or form target in a broken attribute or tag
    d8ea510412375f93fc0fd12c6444652c: 1,
  },
}
