// Messages that a script posts to itself: by the ports of a channel, a broadcast, or its own window.
import { callListeners, keepForListeners } from './browser-events.ts'
import type { BrowserCall } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { GETS, isOwnWindow, isWorkerOfScript, MESSAGE, MESSAGES_OF_WORKER, POSTS } from './message-targets.ts'
import {
  hostObject,
  isPrivate,
  isUnknown,
  PRIVATE_TAINT,
  taintOf,
  textStart,
  type UnknownValue,
  type Value,
} from './values.ts'

const MAX_NAME = 100

const PORT = 'port'

function portOf(gets: string, posts: string): UnknownValue {
  const port = hostObject(PORT)
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

/** `postMessage(message, [port])`, `postMessage(message, origin, [port])`, `postMessage(message, { transfer: [port] })` */
function portsOf({ spend }: Machine, { args }: BrowserCall): readonly UnknownValue[] {
  return args.slice(1).flatMap((arg) => {
    const isOptions = typeof arg === 'object' && arg?.kind === 'object'
    const list = isOptions ? arg.entries.get('transfer') : arg
    if (typeof list !== 'object' || list?.kind !== 'array') return []
    spend(list.items.length)
    return list.items.filter(isPort)
  })
}

const isPort = (value: Value): value is UnknownValue => isUnknown(value) && value.path === PORT

/** Gives a worker its ports, and counts what is posted to it, by itself or by a port. */
function noteForWorker(machine: Machine, call: BrowserCall, ports: readonly UnknownValue[]): void {
  const { self, args } = call
  const { portsOfWorkers } = machine.ownEvents
  const isWorker = isWorkerOfScript(self)
  for (const { entries } of isWorker ? ports : []) {
    const [gets, posts] = [entries?.get(GETS), entries?.get(POSTS)]
    if (typeof gets === 'string' && typeof posts === 'string') portsOfWorkers.set(gets, posts)
  }
  const posts = self.entries?.get(POSTS)
  if (isWorker || (typeof posts === 'string' && portsOfWorkers.has(posts)))
    machine.toWorkers |= taintOf(args[0])
}

/** The second argument of a message for a window, which no port has. */
const isOrigin = (value: Value): boolean =>
  typeof value === 'string' || (isUnknown(value) && (value.prefix !== '' || value.path.endsWith('origin')))

/** Whether a message may be one of a worker by a port of its own, which it takes out of an event; an unknown code may post what it gets. */
const isByPort = (call: BrowserCall): boolean =>
  isPrivate(call.args[0]) &&
  !isOrigin(call.args[1]) &&
  !isToWindow(call) &&
  (call.self.path === '' ||
    call.self.path.startsWith('event') ||
    (isWorkerOfScript(call.self) && call.self.entries?.has(POSTS) === true))

/** Gives a message to the listeners of the script that get it. */
export function postToListeners(machine: Machine, call: BrowserCall): void {
  const { self, args } = call
  const ports = portsOf(machine, call)
  noteForWorker(machine, call, ports)
  const { portsOfWorkers } = machine.ownEvents
  const posts = isToWindow(call) ? MESSAGE : self.entries?.get(POSTS)
  const names = [
    ...(typeof posts === 'string' ? [posts] : []),
    ...(isOfWorker(machine, call) ? MESSAGES_OF_WORKER : []),
    ...(portsOfWorkers.size > 0 && isByPort(call) ? portsOfWorkers.values() : []),
  ]
  const given = new Map<string, Value>([['data', args[0]]])
  if (ports.length > 0) given.set('ports', { kind: 'array', items: [...ports] })
  for (const name of names) {
    keepForListeners(machine, name, given)
    callListeners(machine, self, name, given, [])
  }
}
