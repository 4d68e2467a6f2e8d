// On which objects a message or an event of the script's own arrives.
import { isElement } from './browser-sources.ts'
import type { Machine } from './machine.ts'
import type { UnknownValue } from './values.ts'

/** Where a port keeps the name of its messages. */
export const GETS = ' gets'
/** And that of the messages that it posts. */
export const POSTS = ' posts'
export const MESSAGE = 'message'
/** Before the path of an object that is neither the window nor of the page. */
const MESSAGE_OF = 'message of '

/** Whether an object is the script's own window. */
export const isOwnWindow = ({ path }: UnknownValue): boolean =>
  path === 'window' || path === 'event.view' || path.endsWith('.defaultView')

/**
 * The name by which listeners of an object get what the script itself posts or dispatches. Elements get no messages from
 * others: what looks like one may be the window in a handler, the body, or a list of jQuery's with the window.
 */
export function nameOfEvent(object: UnknownValue, event: string): string {
  if (event !== MESSAGE || isOwnWindow(object) || isElement(object)) return event
  const port = object.entries?.get(GETS)
  return typeof port === 'string' ? port : MESSAGE_OF + object.path
}

/** Of each name of events with listeners. */
const STEPS_OF_LISTENED_NAME = 1

/** The names by which listeners get an event that is dispatched: few honest scripts do that with messages, and its object may be any. */
export function namesOfDispatched(
  { ownEvents: { listeners }, spend }: Machine,
  object: UnknownValue,
  event: string,
): readonly string[] {
  const own = nameOfEvent(object, event)
  if (event !== MESSAGE) return [own]
  spend(STEPS_OF_LISTENED_NAME * listeners.size)
  return [...new Set([own, MESSAGE, ...[...listeners.keys()].filter((name) => name.startsWith(MESSAGE_OF))])]
}

/** The names of messages of the script's own workers. */
export const MESSAGES_OF_WORKER = [`${MESSAGE_OF}worker`, `${MESSAGE_OF}worker.port`]

/** Whether messages of this name are never those of a worker of the script: they come from a server, or another script. */
export const isOfStranger = (name: string): boolean =>
  name.startsWith(MESSAGE_OF) && !name.startsWith(`${MESSAGE_OF}worker`)

export const WORKER = 'worker'

/** Whether an object is a worker of the script, or the port of a shared one. */
export const isWorkerOfScript = ({ path }: UnknownValue): boolean =>
  path === WORKER || path === `${WORKER}.port`
