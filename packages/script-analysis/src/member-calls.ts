// Calls that write members of objects, by which handlers of the window and of elements are set, too.
import { takeOverMember } from './browser-sinks.ts'
import type { Machine } from './machine.ts'
import { writeMember } from './members.ts'
import { storageTaint } from './browser-sources.ts'
import { seePath } from './observations.ts'
import { defineMember } from './owners.ts'
import type { Pure } from './pure-calls.ts'
import { ANY_NAME, isUnknown, taintOf, unknownValue, type Value } from './values.ts'
import { isWallet } from './wallets.ts'

/** Of each member of a browser object. */
const STEPS_OF_MEMBER = 6

function define(machine: Machine, object: Value, name: Value, descriptor: Value): void {
  const isOfWindow = object === machine.globals.self && (name === 'ethereum' || name === 'solana')
  if (isOfWindow || isWallet(object)) seePath(machine.observed, '<wallet patched>')
  takeOverMember(machine, object, name, descriptor)
  defineMember(machine, object, name, descriptor)
  const isKnown = typeof descriptor === 'object' && descriptor?.kind === 'object'
  if (isUnknown(object) && isKnown && descriptor.entries.has('value'))
    writeMember(machine, object, name, descriptor.entries.get('value'))
}

const defineProperty: Pure = ([object, name, descriptor], machine) => {
  machine.spend(STEPS_OF_MEMBER)
  define(machine, object, name, descriptor)
  return object
}

const defineProperties: Pure = ([object, members], machine) => {
  if (typeof members !== 'object' || members?.kind !== 'object') return object
  machine.spend(members.entries.size * STEPS_OF_MEMBER)
  for (const [name, one] of members.entries) define(machine, object, name, one)
  return object
}

const assign: Pure = ([into, ...from], machine) => {
  if (typeof into !== 'object' || into === null || !('entries' in into) || into.entries === null)
    return undefined
  for (const one of from) {
    if (typeof one === 'object' && one?.kind === 'object') {
      machine.spend(isUnknown(into) ? one.entries.size * STEPS_OF_MEMBER : one.entries.size)
      for (const [name, value] of one.entries) writeMember(machine, into, name, value)
    } else if ((taintOf(one) | storageTaint(one)) !== 0)
      into.entries.set(ANY_NAME, unknownValue({ taint: taintOf(one) | storageTaint(one) }))
  }
  return into
}

/** Marks the prototype of errors of the script. */
const OF_ERROR = ' of error'

/** A prototype of errors: of other objects, the methods of their text are not known. */
const create: Pure = ([prototype, members], machine) => {
  if (isUnknown(members)) return undefined
  const entries = new Map<string, Value>([[OF_ERROR, true]])
  if (typeof prototype === 'object' && prototype?.kind === 'object' && prototype.entries.has(OF_ERROR)) {
    machine.spend(prototype.entries.size)
    for (const [name, value] of prototype.entries) entries.set(name, value)
  } else if (!isUnknown(prototype) || !prototype.path.endsWith('Error.prototype')) return undefined
  return defineProperties([{ kind: 'object', entries }, members], machine)
}

export const MEMBER_CALLS: Readonly<Record<string, Pure>> = {
  'Object.defineProperty': defineProperty,
  'Object.defineProperties': defineProperties,
  'Object.assign': assign,
  'Object.create': create,
  'Reflect.defineProperty': defineProperty,
  'Reflect.set': ([object, name, value], machine) => {
    writeMember(machine, object, name, value)
    return true
  },
}
