// Recorders of sessions: services that replay to a site what its visitors did. They take much, and honest ones leave out what is secret.
import { carries, describe, type Evidence, first, isToOther } from './evidence.ts'
import { TAINT } from './values.ts'

const POINTED = [
  'mousemove',
  'scroll',
  'click',
  'mousedown',
  'touchstart',
  'touchmove',
  'touchend',
  'resize',
  'wheel',
  'pointermove',
  'pointerdown',
]
const TYPED = ['input', 'change', 'keyup', 'keydown']
/** Words of what is left out, or put in the place of it. */
const MASKS =
  /\bmask|redact|sanitiz|obscure|\bno-?record|data-private|\b(?:block|ignore)(?:ed|class|selector)?\b|["'`]password["'`]/iu

/** What a recorder does, where it is one that leaves out what is secret; null: it is none. */
export function findRecorder(evidence: Evidence): string | null {
  const { observed, corpus } = evidence.analysis
  const countOf = (events: readonly string[]): number =>
    events.filter((one) => observed.events.has(one)).length
  const sees = countOf(POINTED) + (evidence.has('mutation-observer') ? 2 : 0)
  if (countOf(TYPED) === 0 || countOf(POINTED) === 0 || sees < 3) return null
  const isSpy = evidence.has('devtools-words') || evidence.has('window-size') || evidence.has('debugger')
  // The kind of a field is asked in every one of them, whatever else is renamed.
  const isMasked = MASKS.test(corpus) || observed.texts.has('password') || observed.decoded.has('password')
  if (isSpy || !isMasked) return null
  const sent = evidence.leaving.filter((flow) => isToOther(evidence, flow))
  if (sent.some((flow) => carries(flow, TAINT.card | TAINT.password))) return null
  // What happened is sent with when it did.
  return first(
    sent,
    (flow) => carries(flow, TAINT.clock) && carries(flow, TAINT.field | TAINT.place | TAINT.keys),
    describe,
  )
}
