// What calls of the browser return if another object has a call of the same name: then nothing is known about it, and its
// result may have all that it gets.
import type { BrowserCall } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { isPrimitive, isUnknown, taintOf, unknownValue, type Value, weightOf } from './values.ts'

const DOCUMENTS = /(?:^|\.)(?:document|ownerDocument|contentDocument)$/u
/** Elements, fields, forms and lists of them. Of an object that nothing is known about, it is likely. */
const OF_PAGE = /^$|element|^event|^\$|^document|jQuery|^(?:fields|new |made|URLSearchParams)/u
const WINDOWS = /^$|^window|\.defaultView$/u

/** The objects of the browser that have a call whose result says nothing of what it gets. */
const OWNERS: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['createElement createElementNS createEvent', DOCUMENTS],
      ['getElementById getElementsByName getElementsByTagName getElementsByClassName', OF_PAGE],
      ['querySelector querySelectorAll closest getAttribute attr prop val serialize serializeArray', OF_PAGE],
      ['html append prepend before after trigger each forEach map', OF_PAGE],
      ['addEventListener removeEventListener attachEvent on live delegate observe', OF_PAGE],
      ['setTimeout setInterval requestAnimationFrame postMessage $ jQuery $j $$ $F', WINDOWS],
      ['eval execScript globalEval Function', WINDOWS],
      ['write writeln', DOCUMENTS],
      ['getItem', /^$|Storage$/u],
    ] as const
  ).flatMap(([names, owners]) => names.split(' ').map((name) => [name, owners] as const)),
)
/** These may get the object that they are about, for functions: it is not in what they return. */
const WITH_RECEIVER = new Set(
  'addEventListener removeEventListener attachEvent on live delegate observe setTimeout setInterval each forEach map'.split(
    ' ',
  ),
)

/** For each step of reading a value: it is read once more, with all that it contains. */
export const STEPS_OF_TAINT = 4
const RUN_FUNCTIONS = new Set(['each', 'forEach', 'map'])

export const isFunctionValue = (value: Value): boolean =>
  typeof value === 'object' && value !== null && value.kind === 'function'

/** The result of a call by this name, with the taint of what was given if it is none of the browser's. */
export function keepGiven(
  { spend }: Machine,
  { self, target, args }: BrowserCall,
  name: string,
  value: Value,
): Value {
  const owners = OWNERS.get(name)
  if (owners === undefined || owners.test(self.path)) return value
  // A call without an object is one of the window.
  if (owners === DOCUMENTS && name.startsWith('write') && target.path === name) return value
  // What the function of the script has returned.
  if (RUN_FUNCTIONS.has(name) && args.some(isFunctionValue)) return value
  for (const arg of args) spend(STEPS_OF_TAINT * weightOf(arg))
  const own = WITH_RECEIVER.has(name)
  const given = args.reduce<number>((t, arg) => t | (own && isUnknown(arg) ? arg.taint : taintOf(arg)), 0)
  if (given === 0) return value
  if (isUnknown(value))
    return (value.taint & given) === given ? value : { ...value, taint: value.taint | given }
  return isPrimitive(value) ? unknownValue({ taint: given }) : value
}
