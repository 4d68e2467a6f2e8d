// Requests of scripts: what is sent where, and what comes back.
import { followSignal } from './browser-abort.ts'
import { flow } from './browser-sinks.ts'
import type { Machine } from './machine.ts'
import { seePath, seeText } from './observations.ts'
import { mixValues } from './pure-calls.ts'
import {
  hostObject,
  isUnknown,
  TAINT,
  textStart,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
} from './values.ts'

export interface BrowserCall {
  readonly target: UnknownValue
  readonly self: UnknownValue
  readonly name: string
  readonly args: readonly Value[]
}

export type Effect = (machine: Machine, call: BrowserCall) => Value

/** Requests by fetch, $.ajax, axios and similar functions: an address, or an object with one. */
export const request =
  (sink: 'fetch' | 'ajax'): Effect =>
  (machine, { self, args }) => {
    const [first, second] = args
    const options = [first, second].find(
      (arg) => typeof arg === 'object' && arg !== null && arg.kind === 'object',
    )
    const entries =
      typeof options === 'object' && options !== null && options.kind === 'object' ? options.entries : null
    const address = entries !== null && options === first ? entries.get('url') : first
    // A post whose argument is not an address is not a request.
    if (
      sink === 'ajax' &&
      !/^(?:\$|jQuery|axios|Ajax)/u.test(self.path) &&
      !/^(?:https?:)?\/\/|^wss?:/u.test(textStart(address))
    )
      return undefined
    if (entries !== null) machine.spend(entries.size >> 3)
    const sent = args.slice(options === first ? 0 : 1).map((arg) => withoutSignal(machine, arg))
    flow(machine, sink, address, mixValues(sent))
    for (const value of entries === null ? args : [...entries.values(), ...args])
      machine.later(value, [unknownValue({ taint: TAINT.network })], UNKNOWN)
    const response = hostObject('response', '', TAINT.network)
    if (entries?.has('signal') === true) followSignal(machine, entries.get('signal'), response)
    return response
  }

/** Options of a request, of which the signal is not sent. */
function withoutSignal({ spend }: Machine, value: Value): Value {
  if (typeof value !== 'object' || value?.kind !== 'object' || !value.entries.has('signal')) return value
  spend(value.entries.size >> 1)
  const entries = new Map(value.entries)
  entries.delete('signal')
  return { kind: 'object', entries }
}

export const openRequest: Effect = (machine, { target, self, args }) => {
  if (self.path === 'window' || target.path === 'open') {
    flow(machine, 'navigation', args[0])
    if (isUnknown(args[0]) && /location(?:\.href)?$/u.test(args[0].path))
      seePath(machine.observed, '<page opened again>')
    return hostObject('window.open')
  }
  self.entries?.set(' address', args[1])
  seeText(machine.observed, textStart(args[1]))
  return UNKNOWN
}

export const send: Effect = (machine, { self, args }) => {
  const address = self.entries?.get(' address')
  const isChannel = /createDataChannel|\.channel$/u.test(self.path)
  if (address === undefined && self.path !== 'xhr' && self.path !== 'socket' && !isChannel) return undefined
  flow(
    machine,
    self.path === 'socket' || isChannel ? 'socket' : 'xhr',
    address ?? (isChannel ? UNKNOWN : undefined),
    args[0],
  )
  return UNKNOWN
}
