// Calls of built-in functions that have no effect outside their arguments.
import { bindFunction, taintOfGetters } from './owners.ts'
import { decodeBase64, unescapeText } from './encodings.ts'
import { MAX_ITEMS, MAX_STEPS_OF_PATTERN, MAX_TEXT_LENGTH } from './limits.ts'
import type { Machine } from './machine.ts'
import { collect, joinItems, leadOfStrings } from './joined-items.ts'
import { MEMBER_CALLS } from './member-calls.ts'
import { storageTaint } from './browser-sources.ts'
import { readMember } from './members.ts'
import { compilePlain, stepsOf } from './plain-patterns.ts'
import {
  answerAbout,
  type ArrayValue,
  askedOf,
  DECODED_TAINT,
  type FunctionValue,
  hostObject,
  isPrimitive,
  isUnknown,
  type MethodValue,
  TAINT,
  taintOf,
  taintOfText,
  textStart,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  wholeText,
} from './values.ts'

export type Pure = (args: readonly Value[], machine: Machine) => Value

/** The result; an unknown one keeps the taint of all inputs. */
export function callPure(machine: Machine, method: MethodValue, args: readonly Value[]): Value {
  const { name, self } = method
  machine.spend(2)
  if (self === undefined) return callGlobal(machine, name, args)
  if (typeof self === 'string') return callString(machine, self, name, args)
  if (typeof self === 'number') return callNumber(self, name, args)
  // `Object.prototype.valueOf.call(window)`
  if (name === 'valueOf') return self
  if (isPrimitive(self) || isUnknown(self)) return mixValues([self, ...args])
  if (self.kind === 'array') return callArray(machine, self, name, args)
  if (self.kind === 'function') return callThrough(machine, self, name, args)
  if (self.kind === 'method') return callMethodThrough(machine, self, name, args)
  if (name === 'hasOwnProperty') {
    const member = wholeText(args[0])
    return member !== undefined && self.entries.has(member)
  }
  return wholeText(self) ?? UNKNOWN
}

/** A point in time: the current time unless it is given. */
export function dateOf(args: readonly Value[]): Value {
  return args.length === 0 ? hostObject('date', '', TAINT.clock) : mixValues(args)
}

export function mixValues(values: readonly Value[]): UnknownValue {
  let taint = 0
  let asked = 0
  for (const value of values) {
    taint |= taintOf(value)
    asked |= askedOf(value)
  }
  return asked === 0 ? UNKNOWN : unknownValue({ taint, asked })
}

/** The same for a string that is made of values. */
function mixStrings(values: readonly Value[]): UnknownValue {
  let taint = 0
  let asked = 0
  for (const value of values) {
    taint |= taintOfText(value)
    asked |= askedOf(value)
  }
  return (taint | asked) === 0 ? UNKNOWN : unknownValue({ taint, asked })
}

const list = (items: readonly Value[]): ArrayValue => ({ kind: 'array', items: items.slice(0, MAX_ITEMS) })

/** All arguments as strings, or undefined if one is unknown. */
function strings(args: readonly Value[]): string[] | undefined {
  const found: string[] = []
  for (const arg of args) {
    const text = wholeText(arg)
    if (text === undefined) return undefined
    found.push(text)
  }
  return found
}

const oneText =
  (run: (text: string) => Value): Pure =>
  (args) => {
    const text = wholeText(args[0])
    return text === undefined ? mixStrings(args) : run(text)
  }

const orUnknown = (run: () => Value): Value => {
  try {
    return run()
  } catch {
    // A malformed escape or number: it throws in a browser; here the value is unknown.
    return UNKNOWN
  }
}

const fromCodes: Pure = (args) => {
  const codes = strings(args)
  if (codes === undefined) {
    const { taint, asked } = mixValues(args)
    // An index in a table of characters is an answer about the text that is looked up in it.
    return unknownValue({ taint: taint | (asked & (TAINT.page | TAINT.field)) | DECODED_TAINT })
  }
  return String.fromCharCode(...codes.slice(0, MAX_ITEMS).map(Number))
}

const FIELD_PROTOTYPES = /^(?:window\.)?HTML(?:Input|TextArea|Select)Element\.prototype$/u

const GLOBALS: Readonly<Record<string, Pure>> = {
  String: (args) => (args.length === 0 ? '' : (wholeText(args[0]) ?? textLike(args[0]))),
  'String.fromCharCode': fromCodes,
  'String.fromCodePoint': fromCodes,
  Number: oneText((text) => Number(text)),
  Boolean: (args) => (isPrimitive(args[0]) ? Boolean(args[0]) : mixValues(args)),
  Array: (args) => list(args.length === 1 && typeof args[0] === 'number' ? [] : args),
  'Array.from': (args) => {
    const [from] = args
    if (typeof from === 'string') return list(Array.from(from))
    // A list of the page: its items are elements.
    if (isUnknown(from) && args.length === 1) return from
    return typeof from === 'object' && from !== null && from.kind === 'array'
      ? list(from.items)
      : mixValues(args)
  },
  'Array.isArray': ([value]) => typeof value === 'object' && value !== null && value.kind === 'array',
  Object: ([value]) => value ?? { kind: 'object', entries: new Map() },
  'Object.keys': ([value], machine) => {
    if (typeof value !== 'object' || value?.kind !== 'object')
      return mixValues([value, unknownValue({ taint: storageTaint(value) })])
    machine.spend(value.entries.size >> 3)
    return list([...value.entries.keys()])
  },
  ...MEMBER_CALLS,
  'Reflect.get': ([object, key], machine) => readMember(machine, object, key),
  'Object.getOwnPropertyDescriptor': (args) => {
    const [object, name] = args
    // What reads the fields of a page, whichever they are.
    const isOfFields = isUnknown(object) && name === 'value' && FIELD_PROTOTYPES.test(object.path)
    return isOfFields ? hostObject('descriptor', '', TAINT.field) : mixValues(args)
  },
  'Object.entries': ([value], machine) => {
    if (typeof value !== 'object' || value?.kind !== 'object')
      return mixValues([value, unknownValue({ taint: storageTaint(value) })])
    // One list for each.
    machine.spend(value.entries.size)
    return list(Array.from(value.entries, ([name, one]) => list([name, one])))
  },
  'JSON.stringify': ([value], machine) => {
    if (isPrimitive(value)) return JSON.stringify(value ?? null)
    const taint = taintOf(value) | storageTaint(value) | taintOfGetters(machine, value)
    return unknownValue({ taint })
  },
  'JSON.parse': (args) => hostObject('', '', taintOf(args[0])),
  parseInt: (args) => {
    const [text, radix] = args
    const read = wholeText(text)
    return read === undefined
      ? mixValues(args)
      : Number.parseInt(read, typeof radix === 'number' ? radix : undefined)
  },
  parseFloat: oneText((text) => Number.parseFloat(text)),
  isNaN: oneText((text) => Number.isNaN(Number(text))),
  atob: oneText((text) => decodeBase64(text) ?? UNKNOWN),
  btoa: (args) => mixStrings(args),
  unescape: oneText(unescapeText),
  escape: oneText((text) => orUnknown(() => encodeURIComponent(text))),
  Date: () => unknownValue({ taint: TAINT.clock }),
  'Date.now': () => unknownValue({ taint: TAINT.clock }),
  'Math.random': () => unknownValue({ taint: TAINT.chance }),
  decodeURIComponent: oneText((text) => orUnknown(() => decodeURIComponent(text))),
  decodeURI: oneText((text) => orUnknown(() => decodeURI(text))),
  encodeURIComponent: oneText((text) => orUnknown(() => encodeURIComponent(text))),
  encodeURI: oneText((text) => orUnknown(() => encodeURI(text))),
  RegExp: ([pattern, flags]) => {
    const source = wholeText(pattern) ?? '' // an unknown part is left out
    return hostObject('regex', `${source}/${flags === undefined ? '' : (wholeText(flags) ?? '')}`) // here, too
  },
}

const MATHS = new Set([
  'floor',
  'ceil',
  'round',
  'abs',
  'sqrt',
  'log',
  'sin',
  'cos',
  'tan',
  'pow',
  'max',
  'min',
  'imul',
  'trunc',
])

function callGlobal(machine: Machine, name: string, args: readonly Value[]): Value {
  const [, maths] = /^Math\.(\w+)$/u.exec(name) ?? []
  if (maths !== undefined && MATHS.has(maths)) {
    const numbers = strings(args)?.map(Number)
    // The set contains names of numeric functions.
    const run: (...numbers: number[]) => number = Math[maths as 'max']
    return numbers === undefined ? mixValues(args) : run(...numbers)
  }
  for (const arg of args) if (typeof arg === 'string') machine.spend(arg.length >> (SLOW.has(name) ? 1 : 4))
  machine.spend(args.length >> 3)
  return GLOBALS[name]?.(args, machine) ?? mixValues(args)
}

/** They process each character separately. */
const SLOW: ReadonlySet<string> = new Set([
  'unescape',
  'escape',
  'decodeURIComponent',
  'decodeURI',
  'encodeURIComponent',
  'encodeURI',
  'Array.from',
])

/** An unknown value as a string; what is known of it is kept. */
function textLike(value: Value): Value {
  const lead = isUnknown(value) ? value.lead : null
  return unknownValue({ taint: taintOfText(value), prefix: textStart(value), lead })
}

/** Functions whose result contains nothing of the string. */
const ANSWERS = new Set(['indexOf', 'lastIndexOf', 'includes', 'startsWith', 'endsWith'])

type StringMethod = (self: string, args: readonly string[]) => Value

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)
/** In the language, an argument that is not given is 0. */
const position = (text: string | undefined): number => (text === undefined ? 0 : Number(text))

const STRINGS: Readonly<Record<string, StringMethod>> = {
  charAt: (self, [i]) => self.charAt(position(i)),
  at: (self, [i]) => self.at(position(i)),
  charCodeAt: (self, [i]) => self.charCodeAt(position(i)),
  codePointAt: (self, [i]) => self.codePointAt(position(i)),
  concat: (self, args) => (self + args.join('')).slice(0, MAX_TEXT_LENGTH),
  indexOf: (self, [text, from]) => self.indexOf(text ?? 'undefined', number(from)),
  lastIndexOf: (self, [text]) => self.lastIndexOf(text ?? 'undefined'),
  includes: (self, [text]) => self.includes(text ?? 'undefined'),
  startsWith: (self, [text]) => self.startsWith(text ?? 'undefined'),
  endsWith: (self, [text]) => self.endsWith(text ?? 'undefined'),
  slice: (self, [from, to]) => self.slice(number(from), number(to)),
  substring: (self, [from, to]) => self.substring(position(from), number(to)),
  // The old method with a length instead of an end, which decoders use.
  substr: (self, [from, length]) => {
    const first = position(from)
    const start = first < 0 ? Math.max(0, self.length + first) : first
    return self.slice(start, length === undefined ? undefined : start + Math.max(0, Number(length)))
  },
  split: (self, [by, limit]) =>
    list(by === undefined ? [self] : self.split(by, Math.min(number(limit) ?? MAX_ITEMS, MAX_ITEMS))),
  toLowerCase: (self) => self.toLowerCase(),
  toUpperCase: (self) => self.toUpperCase(),
  trim: (self) => self.trim(),
  trimStart: (self) => self.trimStart(),
  trimEnd: (self) => self.trimEnd(),
  padStart: (self, [length, by]) => self.padStart(Math.min(Number(length), 1000), by),
  padEnd: (self, [length, by]) => self.padEnd(Math.min(Number(length), 1000), by),
  repeat: (self, [count]) =>
    self.length * Number(count) <= MAX_TEXT_LENGTH && Number(count) >= 0
      ? self.repeat(Number(count))
      : UNKNOWN,
  toString: (self: string) => self,
  valueOf: (self: string) => self,
  // These are only useful for picking single letters out of their result.
  italics: (self: string) => `<i>${self}</i>`,
  big: (self: string) => `<big>${self}</big>`,
  fontcolor: (self, [color]) =>
    `<font color="${(color ?? 'undefined').replaceAll('"', '&quot;')}">${self}</font>`,
  link: (self, [href]) => `<a href="${(href ?? 'undefined').replaceAll('"', '&quot;')}">${self}</a>`,
}

function callString(machine: Machine, self: string, name: string, args: readonly Value[]): Value {
  if (name === 'replace' || name === 'replaceAll') return replaceText(machine, self, name, args)
  const [first] = args
  if (isUnknown(first) && first.path === 'regex' && (name === 'split' || name === 'match')) {
    const regex = regexOf(first.hint, self.length)
    machine.spend(regex === null ? self.length >> 3 : stepsOf(regex, self.length))
    if (regex === null) return mixValues(args)
    if (name === 'split') return list(self.split(regex))
    const found = self.match(regex)
    return found === null ? null : list([...found])
  }
  const known = strings(args)
  if (known === undefined) {
    if (ANSWERS.has(name)) return answerAbout(mixValues(args).asked)
    return name === 'concat'
      ? unknownValue({
          taint: mixStrings(args).taint,
          prefix: self.slice(0, 300),
          lead: leadOfStrings([self, ...args]),
        })
      : mixStrings(args)
  }
  // Functions that may walk the string cost steps by its length, those that cut it by the length of the piece.
  if (!CUTTING.has(name)) machine.spend(self.length >> 4)
  const result = orUnknown(() => STRINGS[name]?.(self, known) ?? mixValues(args))
  if (typeof result === 'string' && CUTTING.has(name)) machine.spend(result.length >> 6)
  return result
}

/** Decoders call them once for each character of a long string. */
const CUTTING: ReadonlySet<string> = new Set([
  'charAt',
  'charCodeAt',
  'codePointAt',
  'at',
  'slice',
  'substring',
  'substr',
])

/**
 * Also null if it would take so long on a string of this length that the rest of the script would not be analyzed.
 */
function regexOf(hint: string, length: number): RegExp | null {
  const cut = hint.lastIndexOf('/')
  const regex = compilePlain(hint.slice(0, cut), hint.slice(cut + 1))
  return regex === null || stepsOf(regex, length) > MAX_STEPS_OF_PATTERN ? null : regex
}

function replaceText(machine: Machine, self: string, name: string, args: readonly Value[]): Value {
  const [what, by] = args
  const regex = isUnknown(what) && what.path === 'regex' ? regexOf(what.hint, self.length) : null
  machine.spend(regex === null ? self.length >> 3 : stepsOf(regex, self.length))
  const pattern = regex ?? wholeText(what)
  if (pattern === undefined) return mixValues([self, ...args])
  const run = (text: string): string =>
    name === 'replaceAll' && regex === null
      ? self.replaceAll(pattern, () => text)
      : self.replace(pattern, text)
  if (typeof by === 'object' && by !== null && by.kind === 'function') {
    return self.replace(
      pattern,
      // A replacement that is unknown is left out.
      (match) => wholeText(machine.call(by, [match], undefined)) ?? '',
    )
  }
  const text = wholeText(by)
  return text === undefined || self.length * Math.max(1, text.length / 8) > 4 * MAX_TEXT_LENGTH
    ? mixStrings(args)
    : run(text).slice(0, MAX_TEXT_LENGTH)
}

function callNumber(self: number, name: string, args: readonly Value[]): Value {
  const [first] = strings(args) ?? []
  return orUnknown(() => {
    if (name === 'toString') return self.toString(first === undefined ? 10 : Number(first))
    return name === 'toFixed' ? self.toFixed(position(first)) : self
  })
}

const CHANGING: Readonly<Record<string, (items: Value[], args: readonly Value[]) => Value>> = {
  push: (items, args) => (items.length < MAX_ITEMS ? items.push(...args) : items.length),
  pop: (items) => items.pop(),
  shift: (items) => items.shift(),
  unshift: (items, args) => (items.length < MAX_ITEMS ? items.unshift(...args) : items.length),
  splice: (items, [from, count, ...more]) =>
    list(
      items.splice(
        position(wholeText(from)),
        count === undefined ? items.length : position(wholeText(count)),
        ...more,
      ),
    ),
  slice: (items, [from, to]) =>
    list(items.slice(number(wholeText(from)), to === undefined ? undefined : number(wholeText(to)))),
  fill: (items, [value]) => list(items.fill(value)),
  at: (items, [i]) => items.at(position(wholeText(i))),
  keys: (items) => list(items.map((_, i) => i)),
  entries: (items) =>
    items.length === 0 ? '[object Array Iterator]' : list(items.map((item, i) => list([i, item]))),
  values: (items) => list(items),
}

function callArray(machine: Machine, self: ArrayValue, name: string, args: readonly Value[]): Value {
  const { items } = self
  // `entries` makes a list for each item.
  machine.spend(name === 'entries' ? items.length : items.length >> 4)
  const [first] = args
  if (typeof first === 'object' && first !== null && first.kind === 'function')
    return callEach(machine, self, name, first, args)
  if (name === 'flat') return collect(machine, items)
  if (name === 'concat') return collect(machine, [self, ...args])
  if (name === 'join' || name === 'toString') return joinItems(machine, items, name === 'join' ? first : ',')
  if (name === 'indexOf' || name === 'includes') {
    const index = items.indexOf(first)
    if (index === -1 && isUnknown(first)) return answerAbout(askedOf(first))
    return name === 'indexOf' ? index : index !== -1
  }
  // `reverse` and `sort` return the array itself.
  if (name === 'toReversed') return list(items.toReversed())
  if (name === 'toSorted') return list(items)
  if (name === 'reverse') items.reverse()
  if (name === 'reverse' || name === 'sort') return self
  return CHANGING[name]?.(items, args) ?? (args.length > 0 ? mixValues([...args]) : undefined)
}

function callEach(
  machine: Machine,
  self: ArrayValue,
  name: string,
  by: FunctionValue,
  args: readonly Value[],
): Value {
  const results: Value[] = []
  if (name === 'reduce') {
    let sum = args.length > 1 ? args[1] : self.items[0]
    for (const [i, item] of self.items.slice(args.length > 1 ? 0 : 1).entries())
      sum = machine.call(by, [sum, item, i, self], undefined)
    return sum
  }
  if (name === 'sort' || name === 'toSorted') return self
  for (const [i, item] of self.items.slice().entries())
    results.push(machine.call(by, [item, i, self], undefined))
  if (name === 'filter')
    return list(self.items.filter((_, i) => results[i] !== false && results[i] !== undefined))
  if (name === 'find') return self.items.find((_, i) => results[i] !== false)
  if (name === 'findLast') return self.items.findLast((_, i) => results[i] !== false)
  if (name === 'findIndex' && results.every((one) => typeof one === 'boolean')) return results.indexOf(true)
  if (name === 'flatMap') return collect(machine, results)
  return name === 'map' ? list(results) : mixValues(results)
}

/** Longer source of a function is unknown to the script. */
const MAX_FUNCTION_TEXT = 100_000

/** call, apply, bind and toString of the script's own functions. */
function callThrough(machine: Machine, callee: FunctionValue, name: string, args: readonly Value[]): Value {
  const [self, second] = args
  if (name === 'call') return machine.call(callee, args.slice(1), self)
  if (name === 'apply') return machine.call(callee, listItems(second, callee.node.params.length), self)
  if (name === 'bind') return bindFunction(callee, args)
  // Scripts that detect reformatting read the source of a function; some use it as the key of a decoder.
  const { node, text } = callee
  const source = node.start === undefined ? '' : text.slice(node.start, node.end)
  machine.spend(source.length >> 4)
  return source === '' || source.length > MAX_FUNCTION_TEXT ? unknownValue({ prefix: 'function' }) : source
}

function callMethodThrough(
  machine: Machine,
  callee: MethodValue,
  name: string,
  args: readonly Value[],
): Value {
  const rest = name === 'apply' ? listItems(args[1], 1) : args.slice(1)
  const short = callee.name.replace(/^\w+\.prototype\./u, '')
  if (name === 'bind') return callee
  const [self] = args
  // `[].slice.call(arguments)`: the call applies to the argument, not to the named array.
  const isBorrowed = typeof self === 'object' && self !== null && self.kind === 'array'
  return short === callee.name && !isBorrowed
    ? callPure(machine, callee, rest)
    : callPure(machine, { kind: 'method', name: short, self: args[0] }, rest)
}

/** The items of a list. Those of an unknown one are as many as are used, each with all of its taint. */
function listItems(value: Value, used: number): readonly Value[] {
  if (isUnknown(value)) return Array.from({ length: used }, () => unknownValue({ taint: taintOf(value) }))
  return typeof value === 'object' && value !== null && value.kind === 'array' ? value.items : []
}
