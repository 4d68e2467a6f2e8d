// How many ordinary texts each managed rule stops. Written by npm run ordinary-input -- --write, which says where the
// texts are from.
import type { OrdinaryRates } from './managed-rule.ts'

export const ORDINARY_RATES: OrdinaryRates = {
  tried: 250965,
  stopped: 75,
  /** By ID; rules that are not listed stop none. */
  stoppedBy: {
    // XSS - Script element with a source or with code
    aaad20408c7298b2add19d0a619521e9: 58,
    // JavaScript - Code for a server that runs it
    c09754d290f84943ccf7d71c92dede04: 6,
    // HTTP - Line of another request or response in a value
    '57b960239e189b5c30b4500bec16b8b4': 2,
    // XSS - Event handler or form target in a broken attribute or tag
    d8ea510412375f93fc0fd12c6444652c: 2,
    // PHP - Function with access to the system, as a whole value or call
    '40931cd376ae44203166be9fd9f3b5c7': 1,
    // XSS - Call after a quote, in pieces or with stolen values
    '55a043a2944d3c35d2052cb4bf6610a3': 1,
    // Windows - Condition of a command line
    '606e226660b9a27e847123dd73e877a7': 1,
    // XSS - HTML encoding of markup or of a script scheme
    f653ff5342f474d44369f1891d870399: 1,
    // Template injection - Expression that reaches into the interpreter
    '73726e3ce7974d233dab3328dbf12472': 1,
    // Response splitting - Line feed, then a header or a status line
    f2515eb6025de5d1ee497bf6adb01316: 1,
    // XSS - Handler of an event in an element or after a quote
    '24318e5ed64421417164e073cfd0fac1': 1,
    // SQLi - Function that makes the server wait
    fc2daa115ed8f9a54fa5f1c6194ac645: 1,
  },
}
