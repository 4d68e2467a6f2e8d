// Reads and writes members of values. browser-sources.ts handles reads from browser objects, browser-sinks.ts writes
// to them.
import { own, prototypeOf, runGetter, runSetter } from './owners.ts'
import { noteWrite } from './browser-sinks.ts'
import { namedValue, readBrowser, storageTaint } from './browser-sources.ts'
import { MAX_ITEMS } from './limits.ts'
import type { Machine } from './machine.ts'
import { seePath } from './observations.ts'
import { noteRead } from './performed-calls.ts'
import { isPureMethod, PURE_GLOBALS } from './pure-names.ts'
import {
  ANY_NAME,
  askedOf,
  hostObject,
  isPrimitive,
  taintOf,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  wholeText,
} from './values.ts'

/** A member of a value, by its name or index. */
export function readMember(machine: Machine, object: Value, key: Value): Value {
  const name = typeof key === 'number' ? key : wholeText(key)
  // Decoders look up each character in a table.
  if (name === undefined)
    return unknownValue({ taint: taintOf(object) | storageTaint(object), asked: askedOf(key) })
  if (isPrimitive(object))
    return (
      readPrimitive(object, name) ??
      addedTo(machine, typeof object, name) ??
      (typeof object === 'string' ? notModelled('string', name) : undefined)
    )
  switch (object.kind) {
    case 'array':
      return name === 'callee' && object.callee !== undefined
        ? object.callee
        : (readArray(object.items, name, object) ??
            addedTo(machine, 'array', name) ??
            notModelled('array', name))
    case 'object': {
      const text = String(name)
      if (object.entries.has(text)) return object.entries.get(text)
      const got = runGetter(machine, object, text)
      if (got !== undefined) return got
      // A value written under an unknown name may be this one.
      if (object.entries.has(ANY_NAME)) return unknownValue({ taint: taintOf(object.entries.get(ANY_NAME)) })
      return isPureMethod('object', text) ? { kind: 'method', name: text, self: object } : undefined
    }
    case 'function': {
      const text = String(name)
      if (object.entries.has(text)) return object.entries.get(text)
      if (text === 'constructor') return unknownValue({ path: 'Function' })
      if (text === 'prototype') return prototypeOf(object)
      return isPureMethod('function', text)
        ? { kind: 'method', name: text, self: object }
        : (addedTo(machine, 'function', text) ?? UNKNOWN)
    }
    case 'method':
      return readOfMethod(object.name, String(name), object)
    default:
      return readUnknown(machine, object, String(name))
  }
}

function readPrimitive(object: Value, name: string | number): Value {
  if (typeof object === 'string') {
    if (name === 'length') return object.length
    const index = Number(name)
    if (Number.isInteger(index)) return index >= 0 && index < object.length ? object.charAt(index) : undefined
    if (isPureMethod('string', String(name))) return { kind: 'method', name: String(name), self: object }
  }
  if (typeof object === 'number' && isPureMethod('number', String(name))) {
    return { kind: 'method', name: String(name), self: object }
  }
  if (name === 'constructor') {
    const constructor =
      typeof object === 'string' ? 'String' : typeof object === 'number' ? 'Number' : 'Boolean'
    return { kind: 'method', name: constructor, self: undefined }
  }
  return object === null || object === undefined ? UNKNOWN : undefined
}

function readArray(items: readonly Value[], name: string | number, self: Value): Value {
  if (name === 'length') return items.length
  const index = Number(name)
  if (Number.isInteger(index)) return items[index]
  const text = String(name)
  if (text === 'constructor') return { kind: 'method', name: 'Array', self: undefined }
  return isPureMethod('array', text) ? { kind: 'method', name: text, self } : undefined
}

const OF_LANGUAGE = unknownValue({ path: 'built-in function' })

/** Functions of texts and lists that are not modelled. */
const NOT_MODELLED: Readonly<Record<'string' | 'array', ReadonlySet<string>>> = {
  string: new Set('anchor blink bold fixed fontsize normalize small strike sub sup'.split(' ')),
  array: new Set('findLastIndex lastIndexOf toLocaleString with'.split(' ')),
}

/** Only the constructor of such a function is of interest, as in `''.sub.constructor(code)`. */
const notModelled = (kind: 'string' | 'array', name: string | number): Value =>
  NOT_MODELLED[kind].has(String(name)) ? OF_LANGUAGE : undefined

/** What the script itself has added to a built-in prototype: `String.prototype.first = function () { … }`. */
const addedTo = (machine: Machine, kind: string, name: string | number): Value =>
  machine.added.size === 0 ? undefined : machine.added.get(`${kind}.${name}`)

const MAX_ADDED = 500

function addTo({ added }: Machine, prototype: string, name: string | undefined, value: Value): void {
  const [, kind] = /^(String|Array|Number|Function)\.prototype$/u.exec(prototype) ?? []
  if (kind !== undefined && name !== undefined && added.size < MAX_ADDED)
    added.set(`${kind.toLowerCase()}.${name}`, value)
}

/** `String.fromCharCode`, `Math.floor`, `[]['filter']['constructor']`. */
function readOfMethod(owner: string, name: string, self: Value): Value {
  if (name === 'constructor') return unknownValue({ path: 'Function' })
  if (name === 'name') return owner
  if (name === 'call' || name === 'apply' || name === 'bind') return { kind: 'method', name, self }
  if (owner === 'Math' && name === 'PI') return Math.PI
  if (name === 'prototype') return { kind: 'method', name: `${owner}.prototype`, self: undefined }
  return { kind: 'method', name: `${owner}.${name}`, self: undefined }
}

function readUnknown(machine: Machine, object: UnknownValue, name: string): Value {
  if (object === OF_LANGUAGE && name === 'constructor') return unknownValue({ path: 'Function' })
  if (object.path === 'regex' && name === 'constructor')
    return { kind: 'method', name: 'RegExp', self: undefined }
  if (object === machine.globals.self) {
    if (machine.globals.vars.has(name)) return machine.globals.vars.get(name)
    if (PURE_GLOBALS.has(name)) {
      seePath(machine.observed, name)
      return { kind: 'method', name, self: undefined }
    }
  } else {
    seePath(machine.observed, `.${name.slice(0, 60)}`)
    noteRead(machine, object, name)
  }
  const written = object.entries?.get(name)
  // A written cookie is added to the others.
  const isAdded = object.path === 'document' && name === 'cookie'
  if (written !== undefined && !isAdded) return written
  return runGetter(machine, object, name) ?? readBrowser(machine, object, name)
}

function mergeValues(before: Value, value: Value): Value {
  return before === undefined ? value : unknownValue({ taint: taintOf(before) | taintOf(value) })
}

export function writeMember(machine: Machine, object: Value, key: Value, value: Value): void {
  if (isPrimitive(object)) return
  const name = typeof key === 'number' ? String(key) : wholeText(key)
  if (object.kind === 'array') {
    const index = Number(name)
    if (name === 'length' && value === 0) object.items.length = 0
    else if (
      Number.isInteger(index) &&
      index >= 0 &&
      index <= Math.min(object.items.length + 1000, MAX_ITEMS)
    ) {
      object.items[index] = value
    }
    return
  }
  if (object.kind === 'method') {
    addTo(machine, object.name, name, value)
    return
  }
  if (object.kind === 'unknown') {
    if (object === machine.globals.self && name !== undefined) {
      machine.flags.noteChange(machine.globals.vars, name, value)
      machine.globals.vars.set(name, value)
    }
    noteWrite(machine, object, name ?? '', value) // an unknown name is none of those it looks for
  }
  if (object.kind !== 'function') {
    if (name !== undefined && runSetter(machine, object, name, value)) return
    own(machine, object, value)
  }
  // The object may listen already.
  if (name === 'handleEvent') machine.later(value, [hostObject('event')], object)
  if (object.entries !== null && name !== undefined) machine.flags.noteChange(object.entries, name, value)
  // A value written under an unknown name still counts for the taint of the whole object.
  if (object.entries !== null && object.entries.size < MAX_ITEMS)
    object.entries.set(
      name ?? ANY_NAME,
      name === undefined ? mergeValues(object.entries.get(ANY_NAME), value) : namedValue(name, value),
    )
}
