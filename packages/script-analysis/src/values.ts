// Values of the interpreter: what a script computes, as far as possible without a browser. An unknown value has what
// is known about it: its sources, the beginning of its text, and the browser object that it is.
import { MAX_ITEMS, MAX_TEXT_LENGTH } from './limits.ts'
import type { FunctionNode } from './syntax-tree.ts'

/** Sources of values that a script reads, one bit each. */
export const TAINT = {
  field: 1,
  card: 2,
  password: 4,
  keys: 8,
  cookie: 16,
  storage: 32,
  page: 64,
  place: 128,
  network: 256,
  clipboard: 512,
  clock: 1024,
  chance: 2048,
  agent: 4096,
  referrer: 8192,
  request: 16_384,
} as const

/** No source: the value is text that was put together from the numbers of characters. Rules alone read it. */
export const DECODED_TAINT = 32_768
/** No source either: the value is text that was cut into its characters. */
export const TAKEN_APART_TAINT = 65_536
export type TaintName = keyof typeof TAINT

/**
 * Bits of the visitor's private data. Location and page content are not among them: every analytics script sends
 * those.
 */
export const PRIVATE_TAINT =
  TAINT.field | TAINT.card | TAINT.password | TAINT.keys | TAINT.cookie | TAINT.clipboard

/** What a response does not contain, although it was sent. */
export const SENT_TAINT = PRIVATE_TAINT | TAINT.request

export interface Scope {
  readonly vars: Map<string, Value>
  readonly parent: Scope | null
  readonly self: Value
}

export interface ArrayValue {
  readonly kind: 'array'
  readonly items: Value[]
  /** Of the arguments of a call. */
  readonly callee?: FunctionValue
}
export interface ObjectValue {
  readonly kind: 'object'
  readonly entries: Map<string, Value>
}
export interface FunctionValue {
  readonly kind: 'function'
  readonly node: FunctionNode
  readonly scope: Scope
  readonly entries: Map<string, Value>
  /** The text of the code that contains it, in which the node has its position. */
  readonly text: string
  /** `this` and the first arguments of a bound function. */
  readonly bound?: { readonly self: Value; readonly args: readonly Value[] }
}
/** A built-in function without side effects, with the value that it was read from. */
export interface MethodValue {
  readonly kind: 'method'
  readonly name: string
  readonly self: Value
}
/** An unknown value, or a browser object. */
export interface UnknownValue {
  readonly kind: 'unknown'
  /** Its name in the browser: `document.cookie`, `element:img`; '' if unknown. */
  readonly path: string
  readonly taint: number
  /**
   * What an answer is about, if it contains nothing of it: for example whether a cookie exists, or which browser it
   * is.
   */
  readonly asked: number
  /** The beginning of its text, if known. */
  readonly prefix: string
  /** Words about it: a selector, an event's name. */
  readonly hint: string
  /** The taint of its text up to the first `/`, `?` or `#` after the known part; null: none was seen. */
  readonly lead: number | null
  /** What the script has written to it. */
  readonly entries: Map<string, Value> | null
}
export type Primitive = string | number | boolean | null | undefined
export type Value = Primitive | ArrayValue | ObjectValue | FunctionValue | MethodValue | UnknownValue

/** Key of values that were written under unknown names. */
export const ANY_NAME = '?'

export const UNKNOWN: UnknownValue = {
  kind: 'unknown',
  path: '',
  taint: 0,
  asked: 0,
  prefix: '',
  hint: '',
  lead: null,
  entries: null,
}

/** An unknown value with known properties. */
export function unknownValue({
  path = '',
  taint = 0,
  asked = 0,
  prefix = '',
  hint = '',
  lead = null,
}: Partial<Omit<UnknownValue, 'kind' | 'entries'>>): UnknownValue {
  // A literal: each spread takes longer than all of it.
  return { kind: 'unknown', path, taint, asked, prefix, hint, lead, entries: null }
}

/** A browser object that stores what is written to it. */
export function hostObject(path: string, hint = '', taint = 0): UnknownValue {
  return { kind: 'unknown', path, taint, asked: 0, prefix: '', hint, lead: null, entries: new Map() }
}

export function isPrimitive(value: Value): value is Primitive {
  return typeof value !== 'object' || value === null
}

export function isUnknown(value: Value): value is UnknownValue {
  return typeof value === 'object' && value !== null && value.kind === 'unknown'
}

/** Remaining work for a value that contains others. */
interface Budget {
  left: number
}

const MAX_PARTS_OF_TAINT = 400

/** All taint of a value and of the values in it, three levels deep and only for the first parts of many. */
export function taintOf(value: Value): number {
  if (typeof value !== 'object' || value === null || value.kind === 'function') return 0
  return collectTaint(value, 3, { left: MAX_PARTS_OF_TAINT })
}

/** Lists and maps have loops of their own: one loop over either takes several times as long. */
function collectTaint(
  value: Exclude<Value, Primitive | FunctionValue>,
  levels: number,
  budget: Budget,
): number {
  if (value.kind === 'method') return levels === 0 ? 0 : taintOfPart(value.self, levels - 1, budget)
  let taint = value.kind === 'unknown' ? value.taint : 0
  if (levels === 0) return taint
  if (value.kind === 'array') {
    for (const part of value.items) {
      budget.left -= 1
      if (budget.left < 0) break
      taint |= taintOfPart(part, levels - 1, budget)
    }
  } else if (value.entries !== null && value.entries.size > 0) {
    for (const part of value.entries.values()) {
      budget.left -= 1
      if (budget.left < 0) break
      taint |= taintOfPart(part, levels - 1, budget)
    }
  }
  return taint
}

const taintOfPart = (part: Value, levels: number, budget: Budget): number =>
  typeof part !== 'object' || part === null || part.kind === 'function'
    ? 0
    : collectTaint(part, levels, budget)

/** The path of what a script makes with a class or a constructor of its own. */
export const MADE = 'made'
/** Marks such an object whose text is not known, because what it extends may make it. */
export const TEXT_OF_PARENT = ' text of parent'
/** Where such an object keeps its constructor. */
export const CONSTRUCTOR = ' constructor'

/** Whether an object is an error of the browser. */
export const isError = ({ path }: UnknownValue): boolean =>
  path.startsWith('new ') && /(?:Error|DOMException)$/u.test(path)

/** Before the name of a member, in the key of its getter. */
export const GETTER = ' get '
/** Members that make the text of an object. */
const MAKE_TEXT = [
  'toString',
  'valueOf',
  'join',
  'length',
  '__proto__',
  ANY_NAME,
  nativeText('Symbol.toPrimitive'),
  nativeText('Symbol.toStringTag'),
]

/** Whether an object has its text from a function of the script. What was only read has the path of its object. */
function hasOwnText({ path, entries }: UnknownValue): boolean {
  if (entries === null || entries.size === 0) return false
  const isOwn = (name: string): boolean => {
    const member = entries.get(name)
    const isRead = isUnknown(member) && member.path === `${path}.${name}`
    return (entries.has(name) && !isRead) || entries.has(GETTER + name)
  }
  if (entries.has(TEXT_OF_PARENT) || MAKE_TEXT.some(isOwn)) return true
  const by = entries.get(CONSTRUCTOR)
  const prototype =
    typeof by === 'object' && by?.kind === 'function' ? by.entries.get('prototype') : undefined
  if (typeof prototype !== 'object' || prototype?.kind !== 'object') return false
  return MAKE_TEXT.some((name) => prototype.entries.has(name) || prototype.entries.has(GETTER + name))
}

/**
 * The taint of a value as text. That of an error is its name and its message, without members that a script adds, such as a failed
 * request. Other objects of the script have less.
 */
export const taintOfText = (value: Value): number => collectText(value, 3, { left: MAX_PARTS_OF_TAINT })

function collectText(value: Value, levels: number, budget: Budget): number {
  if (typeof value === 'object' && value?.kind === 'array' && levels > 0) {
    let taint = 0
    for (const item of value.items) {
      budget.left -= 1
      if (budget.left < 0) break
      taint |= collectText(item, levels - 1, budget)
    }
    return taint
  }
  if (!isUnknown(value) || !(isError(value) || value.path === MADE) || hasOwnText(value))
    return taintOf(value)
  return value.taint | taintOf(value.entries?.get('message')) | taintOf(value.entries?.get('name'))
}

/** The taint of a decision that depends on a value. */
export function askedOf(value: Value): number {
  return isUnknown(value) ? value.taint | value.asked : taintOf(value)
}

/** An answer about something: yes, no or an index. */
export function answerAbout(asked: number): UnknownValue {
  return asked === 0 ? UNKNOWN : unknownValue({ asked })
}

/** The beginning of a value's text, as far as known. */
export function textStart(value: Value, levels = 3): string {
  if (isPrimitive(value)) return String(value)
  if (value.kind === 'unknown') return value.prefix
  if (value.kind === 'array' && value.items.length > 0 && levels > 0)
    return textStart(value.items[0], levels - 1)
  return ''
}

/** The text of a function of the browser; also the name of a member with a symbol. */
function nativeText(name: string): string {
  return `function ${name}() { [native code] }`
}

/**
 * The whole text of a value, or undefined if it is unknown, nested deeper than any decoder does, or has too many
 * parts.
 */
export function wholeText(
  value: Value,
  levels = 4,
  budget: Budget = { left: MAX_ITEMS },
): string | undefined {
  if (isPrimitive(value)) return String(value)
  if (value.kind === 'array') {
    budget.left -= value.items.length
    if (levels === 0 || budget.left < 0) return undefined
    const parts: string[] = []
    let length = 0
    for (const item of value.items) {
      const part = item === null || item === undefined ? '' : wholeText(item, levels - 1, budget)
      if (part === undefined) return undefined
      length += part.length
      if (length > MAX_TEXT_LENGTH) return undefined
      parts.push(part)
    }
    return parts.join(',')
  }
  if (value.kind === 'object') return '[object Object]'
  return value.kind === 'method' ? nativeText(value.name) : undefined
}

/** Whether a value has private data of the visitor. */
export const isPrivate = (value: Value): boolean => (taintOf(value) & PRIVATE_TAINT) !== 0

/** Steps of reading all of a value: code that needs its text or its taint spends them. */
export function weightOf(value: Value): number {
  if (typeof value === 'string') return value.length >> 10
  if (typeof value !== 'object' || value === null) return 0
  return value.kind === 'array' ? countItems(value, 4, { left: MAX_ITEMS }) >> 3 : MAX_PARTS_OF_TAINT >> 7
}

/** Items of an array and its nested arrays, as far as wholeText would read them. */
function countItems({ items }: ArrayValue, levels: number, budget: Budget): number {
  let count = items.length
  budget.left -= items.length
  for (const item of items) {
    if (levels === 0 || budget.left < 0) break
    if (typeof item === 'object' && item !== null && item.kind === 'array')
      count += countItems(item, levels - 1, budget)
  }
  return count
}

/** true, false, or undefined: unknown. */
export function truth(value: Value): boolean | undefined {
  if (isPrimitive(value)) return Boolean(value)
  return value.kind === 'unknown' ? undefined : true
}
