// Objects of classes of the browser that a script makes, or of its own classes that extend one.
import { fillEvent, OWN_EVENT } from './browser-events.ts'
import { flow } from './browser-sinks.ts'
import type { Machine } from './machine.ts'
import {
  hostObject,
  isError,
  isUnknown,
  TAINT,
  taintOfText,
  textStart,
  unknownValue,
  type UnknownValue,
  type Value,
} from './values.ts'

/** `PopStateEvent`, `Event`: their options are their members. Those of fields are not among them: listeners of other fields do not get these. */
const EVENTS =
  /^(?!(?:Input|Composition|Keyboard|Focus|Clipboard|Submit|FormData)Event$)(?:[A-Z]\w{0,40})?Event$/u
const SOCKETS = /^(?:WebSocket|EventSource)$/u

/** An object of such a class that is not built yet; undefined: another class. */
export function emptyOfClass(parent: Value): UnknownValue | undefined {
  if (!isUnknown(parent)) return undefined
  if (EVENTS.test(parent.path)) return hostObject(OWN_EVENT)
  return SOCKETS.test(parent.path) ? hostObject('socket', '', TAINT.network) : undefined
}

const ERRORS = /^(?:\w+\.){0,3}(?:\w{0,40}Error|DOMException)$/u

/** The same for a class of errors. */
export function emptyError(parent: Value): UnknownValue | undefined {
  if (!isUnknown(parent) || !ERRORS.test(parent.path)) return undefined
  return hostObject(`new ${parent.path.slice(parent.path.lastIndexOf('.') + 1)}`)
}

/** What the constructor of the browser does with it. */
export function buildOfClass(machine: Machine, made: UnknownValue, args: readonly Value[]): void {
  if (made.path === OWN_EVENT) return fillEvent(machine, made, args)
  if (isError(made)) return fillError(made, args)
  if (made.path !== 'socket') return
  flow(machine, 'socket', args[0])
  made.entries?.set(' address', args[0])
}

/** `super(message, { cause })` */
function fillError({ entries }: UnknownValue, [message, options]: readonly Value[]): void {
  if (message === undefined) return
  const text = unknownValue({ taint: taintOfText(message), prefix: textStart(message) })
  for (const name of ['message', 'stack', 'description']) entries?.set(name, text)
  if (typeof options === 'object' && options?.kind === 'object' && options.entries.has('cause'))
    entries?.set('cause', options.entries.get('cause'))
}
