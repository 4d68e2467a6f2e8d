// Frames that a script makes: what it posts to them, and whether the visitor sees them.
import type { Effect } from './browser-requests.ts'
import { flow } from './browser-sinks.ts'
import { FRAME } from './browser-sources.ts'
import { FRAME_HIDDEN, seePath } from './observations.ts'
import { isUnknown, textStart, UNKNOWN, type UnknownValue, type Value } from './values.ts'

export const postMessage: Effect = (machine, { self, args }) => {
  const frame = self.entries?.get(FRAME)
  if (isUnknown(frame)) {
    const address = frame.entries?.get('src') ?? frame.entries?.get(' @src')
    if (address !== undefined) flow(machine, 'frame', address, args[0])
    if (isHidden(frame)) seePath(machine.observed, FRAME_HIDDEN)
  }
  flow(machine, 'message', args[1], args[0])
  return UNKNOWN
}

const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|(?:left|top)\s*:\s*-\d{3}|(?:width|height)\s*:\s*[0-2](?![.\d%]|r?em)/iu
const HIDING: readonly (readonly [string, RegExp])[] = [
  ['display', /^none$/iu],
  ['visibility', /^hidden$/iu],
  ['opacity', /^0$/u],
  ['left', /^-\d{3}/u],
  ['top', /^-\d{3}/u],
  ['width', /^[0-2](?:px)?$/u],
  ['height', /^[0-2](?:px)?$/u],
]

const hides = (entries: UnknownValue['entries'], before: string): boolean =>
  HIDING.some(([name, pattern]) => pattern.test(textOf(entries?.get(before + name))))

const textOf = (value: Value): string => (value === undefined ? '' : textStart(value))

/** Whether the script itself keeps a frame out of sight. */
function isHidden({ entries }: UnknownValue): boolean {
  const style = entries?.get('style')
  const members = isUnknown(style) ? style.entries : null
  const styles = [style, members?.get('cssText'), entries?.get(' @style')]
  return (
    entries?.get('hidden') === true ||
    entries?.has(' @hidden') === true ||
    styles.some((text) => HIDING_STYLE.test(textOf(text))) ||
    hides(members, '') ||
    hides(entries, '') ||
    hides(entries, ' @')
  )
}
