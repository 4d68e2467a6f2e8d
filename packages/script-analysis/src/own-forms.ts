// Forms that a script sends itself, by a request: as payment pages of vendors do, and as skimmers pretend to.
import { carries, type Evidence } from './evidence.ts'
import { DEFAULT_PREVENTED, type Flow, FORM_SENT, FRAME_HIDDEN, MESSAGE_READ } from './observations.ts'
import { hostOf } from './origins.ts'
import { PRIVATE_TAINT, TAINT } from './values.ts'

/**
 * Whether a script is loaded for its response, the only method before CORS, or a frame answers what is posted to it, as vaults
 * for cards do.
 */
export const asksForAnswer = (flow: Flow, evidence: Evidence): boolean =>
  flow.sink === 'script'
    ? /jsonp|callback=|cb=/iu.test(flow.address) || /[?&](?:callback|jsonp)=/iu.test(evidence.analysis.corpus)
    : flow.sink === 'frame' && isAnsweredByFrame(flow, evidence)

/** Whether all that is posted is for the host of a visible frame alone, and the script reads what is posted back. */
function isAnsweredByFrame({ address, addressTaint }: Flow, { analysis: { observed } }: Evidence): boolean {
  const { flows, paths } = observed
  const host = hostOf(address)
  const posted = flows.filter(({ sink, taint }) => sink === 'message' && (taint & PRIVATE_TAINT) !== 0)
  return (
    host !== null &&
    (addressTaint & PRIVATE_TAINT) === 0 &&
    posted.length > 0 &&
    posted.every((one) => hostOf(one.address) === host) &&
    paths.has(MESSAGE_READ) &&
    !paths.has(FRAME_HIDDEN)
  )
}

/** Whether the request method returns no response. */
export function isSilent(flow: Flow, evidence: Evidence): boolean {
  if (flow.sink === 'fetch') return /["']no-cors["']/u.test(evidence.analysis.corpus)
  return (
    ['image', 'beacon', 'socket', 'script', 'form', 'frame'].includes(flow.sink) &&
    !asksForAnswer(flow, evidence)
  )
}

/** Whether it sends the form itself, by a request with an answer, instead of the browser: as payment pages of vendors do. */
export const isOwnForm = (evidence: Evidence, flow: Flow): boolean =>
  flow.on === 'submit' &&
  evidence.analysis.observed.paths.has(DEFAULT_PREVENTED) &&
  !isSilent(flow, evidence) &&
  USES_ANSWER.test(evidence.analysis.corpus)
const USES_ANSWER = /\.(?:then|done|success)\b|\bawait\b|\bonload\b|readyState|\bsuccess\b/u

/** Whether the page's own server gets the fields as well: a vendor's code takes the card out first. */
const isSentAgain = ({ analysis: { corpus, observed } }: Evidence): boolean =>
  observed.paths.has(FORM_SENT) && !EMPTIES.test(corpus)
const EMPTIES =
  /\bremoveAttribute\b|\bremoveAttr\b|\.disabled\s*=|\.(?:value|name)\s*=\s*(?:""|''|``)|\.remove\(|\bremoveChild\b|\.val\(\s*(?:""|''|``)\s*\)|\.reset\(/u

/** What no form of a vendor does with a card. */
export const isUnlikeForms = (evidence: Evidence, flow: Flow): boolean =>
  carries(flow, TAINT.storage) ||
  isSentAgain(evidence) ||
  (flow.addressTaint & TAINT.card) !== 0 ||
  ['gate-address', 'devtools-words', 'window-size'].some((concept) => evidence.has(concept))

/** Whether the form is sent as well: what replaces its own sending has to prevent that. */
export const isCopied = ({ analysis: { observed } }: Evidence, { on }: Flow): boolean =>
  on === 'submit' && !observed.paths.has(DEFAULT_PREVENTED)
