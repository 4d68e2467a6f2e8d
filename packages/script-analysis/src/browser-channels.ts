// Messages that a script posts to itself: by the ports of a channel, a broadcast, or its own window.
import { callListeners, keepForListeners } from './browser-events.ts'
import type { BrowserCall } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { GETS, isOwnWindow, MESSAGE, MESSAGES_OF_WORKER } from './message-targets.ts'
import {
  hostObject,
  isPrivate,
  PRIVATE_TAINT,
  taintOf,
  textStart,
  type UnknownValue,
  type Value,
} from './values.ts'

/** Where a port keeps the name of the messages that it posts. */
export const POSTS = ' posts'
const MAX_NAME = 100

function portOf(gets: string, posts: string): UnknownValue {
  const port = hostObject('port')
  port.entries?.set(GETS, gets)
  port.entries?.set(POSTS, posts)
  return port
}

/** `new MessageChannel()`: what is posted to one port comes out of the other. */
export function makeChannel({ ownEvents }: Machine): UnknownValue {
  ownEvents.channels += 1
  const [one, other] = [` port1 ${ownEvents.channels}`, ` port2 ${ownEvents.channels}`]
  const channel = hostObject('new MessageChannel')
  channel.entries?.set('port1', portOf(one, other))
  channel.entries?.set('port2', portOf(other, one))
  return channel
}

/** `new BroadcastChannel(name)`: what is posted comes out of all others of this name. */
export function makeBroadcast([given]: readonly Value[]): UnknownValue {
  const name = ` broadcast ${textStart(given).slice(0, MAX_NAME)}`
  return portOf(name, name)
}

/** A worker posts to its page without an object and an origin: then only private data is followed to its own listeners. */
const isToWindow = ({ self, target, args: [message, origin] }: BrowserCall): boolean =>
  isOwnWindow(self) || (target.path === 'postMessage' && (typeof origin === 'string' || isPrivate(message)))

/** Whether this may be what a worker of the script posts: only private data that was posted to one is followed. */
const isOfWorker = ({ toWorkers }: Machine, call: BrowserCall): boolean =>
  (taintOf(call.args[0]) & toWorkers & PRIVATE_TAINT) !== 0 &&
  (isToWindow(call) || call.self.path.startsWith('event'))

/** Gives a message to the listeners of the script that get it. */
export function postToListeners(machine: Machine, call: BrowserCall): void {
  const { self, args } = call
  const posts = isToWindow(call) ? MESSAGE : self.entries?.get(POSTS)
  const names = [
    ...(typeof posts === 'string' ? [posts] : []),
    ...(isOfWorker(machine, call) ? MESSAGES_OF_WORKER : []),
  ]
  const given = new Map([['data', args[0]]])
  for (const name of names) {
    keepForListeners(machine, name, given)
    callListeners(machine, self, name, given, [])
  }
}
