// Session recorders: services that replay to a site what its visitors did. They record much, and honest ones leave
// out secrets.
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
/** Words for what is left out or masked. */
const MASKS =
  /\bmask|redact|sanitiz|obscure|\bno-?record|data-private|\b(?:block|ignore)(?:ed|class|selector)?\b|["'`]password["'`]/iu

/** What a recorder does, if it leaves out secrets; null: it is not one. */
export function findRecorder(evidence: Evidence): string | null {
  const { observed, corpus } = evidence.analysis
  const countOf = (events: readonly string[]): number =>
    events.filter((one) => observed.events.has(one)).length
  const sees = countOf(POINTED) + (evidence.has('mutation-observer') ? 2 : 0)
  if (countOf(TYPED) === 0 || countOf(POINTED) === 0 || sees < 3) return null
  const isSpy = evidence.has('devtools-words') || evidence.has('window-size') || evidence.has('debugger')
  // All of them read the type of a field, whatever else is renamed.
  const isMasked = MASKS.test(corpus) || observed.texts.has('password') || observed.decoded.has('password')
  if (isSpy || !isMasked) return null
  const sent = evidence.leaving.filter((flow) => isToOther(evidence, flow))
  if (sent.some((flow) => carries(flow, TAINT.card | TAINT.password))) return null
  // Events are sent with their time.
  return first(
    sent,
    (flow) => carries(flow, TAINT.clock) && carries(flow, TAINT.field | TAINT.place | TAINT.keys),
    describe,
  )
}
