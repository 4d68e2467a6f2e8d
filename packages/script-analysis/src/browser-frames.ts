// Frames that a script makes: what it posts to them, and whether the visitor sees them.
import { postToListeners } from './browser-channels.ts'
import type { Effect } from './browser-requests.ts'
import { flow } from './browser-sinks.ts'
import { areHidingNames, isHidingStyle } from './hidden-styles.ts'
import { MAX_PREFIX } from './limits.ts'
import type { Machine } from './machine.ts'
import { FRAME } from './browser-sources.ts'
import { FRAME_HIDDEN, seePath } from './observations.ts'
import { isUnknown, textStart, UNKNOWN, type UnknownValue, type Value } from './values.ts'

export const postMessage: Effect = (machine, call) => {
  const { self, args } = call
  const frame = self.entries?.get(FRAME)
  if (isUnknown(frame)) {
    const address = frame.entries?.get('src') ?? frame.entries?.get(' @src')
    if (address !== undefined) flow(machine, 'frame', address, args[0])
    if (isHidden(machine, frame)) seePath(machine.observed, FRAME_HIDDEN)
  }
  postToListeners(machine, call)
  flow(machine, 'message', args[1], args[0])
  return UNKNOWN
}

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

/** Cut off: each message to a frame reads it again. */
const textOf = (value: Value): string => (value === undefined ? '' : textStart(value).slice(0, MAX_PREFIX))

const MAX_CLASSES = 50

/** The classes and the ID of an element, as selectors. */
function namesOf(entries: UnknownValue['entries']): readonly string[] {
  const list = entries?.get('classList')
  const added: string[] = []
  // A list that nothing was added to has no names.
  for (const name of (isUnknown(list) ? list.entries?.keys() : undefined) ?? []) {
    if (added.length >= MAX_CLASSES) break
    added.push(textOf(name))
  }
  const classes = ['className', ' @class'].flatMap((name) => textOf(entries?.get(name)).split(/\s+/u))
  const ids = ['id', ' @id'].map((name) => `#${textOf(entries?.get(name))}`)
  return [...[...classes, ...added].map((name) => `.${name.trim()}`), ...ids]
}

const STEPS_OF_FRAME = 50
const STEPS_OF_NAME = 4

/** Whether the script itself keeps a frame out of sight. */
function isHidden(machine: Machine, { entries }: UnknownValue): boolean {
  const names = namesOf(entries)
  // Each message to a frame reads all of this again.
  machine.spend(STEPS_OF_FRAME + STEPS_OF_NAME * names.length)
  const style = entries?.get('style')
  const members = isUnknown(style) ? style.entries : null
  const styles = [style, members?.get('cssText'), entries?.get(' @style')]
  return (
    entries?.get('hidden') === true ||
    entries?.has(' @hidden') === true ||
    styles.some((text) => isHidingStyle(textOf(text))) ||
    areHidingNames(machine.hidingRules, names) ||
    hides(members, '') ||
    hides(entries, '') ||
    hides(entries, ' @')
  )
}
