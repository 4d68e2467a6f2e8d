// What a script does to elements by writing to them, under whichever name it does so: properties, attributes, jQuery's `attr`.
import { noteHandler, noteWrite } from './browser-sinks.ts'
import type { Machine } from './machine.ts'
import { hostObject, taintOf, unknown, type UnknownValue, type Value } from './values.ts'

/** What an attribute is called as a property, where that differs. */
const PROPERTIES: Readonly<Record<string, string>> = {
  formaction: 'formAction',
  class: 'className',
  'xlink:href': 'href',
}

/** Says that all attributes of an element are known. */
const WHOLE = ' whole'

/** How attributes are kept beside what is written to an element as properties. */
const attributeKey = (name: string): string => ` @${name.toLowerCase().slice(0, 60)}`

/** Writes an attribute; a handler that it holds is run. */
export function writeAttribute(machine: Machine, object: UnknownValue, name: Value, value: Value): void {
  if (typeof name !== 'string') return
  const property = PROPERTIES[name.toLowerCase()] ?? name
  object.entries?.set(attributeKey(name), value)
  if (/^on[a-z]/u.test(name)) noteHandler(machine, object, name.slice(2), value)
  else if (ACTING.has(property)) noteWrite(machine, object, property, value)
}

/** Attributes that load, lead or send. */
const ACTING = new Set([
  'src',
  'srcset',
  'href',
  'action',
  'formAction',
  'srcdoc',
  'data',
  'content',
  'style',
  'poster',
])

/** The attribute as it was written; of `data-x`, as it was written to the data set. */
export function readAttribute(object: UnknownValue, name: Value): Value {
  if (typeof name !== 'string' || object.entries === null) return undefined
  const written = object.entries.get(attributeKey(name)) ?? object.entries.get(name)
  if (written !== undefined || !name.startsWith('data-')) return written
  const set = object.entries.get('dataset')
  if (typeof set !== 'object' || set === null || set.kind === 'function' || !('entries' in set))
    return undefined
  return set.entries?.get(dataName(name))
}

/** Of an element that is wholly known, an attribute that it has not; else undefined: not known. */
export const missingAttribute = ({ entries }: UnknownValue): Value =>
  entries?.has(WHOLE) === true ? null : undefined

/** `data-long-name` is `dataset.longName`. */
export const dataName = (attribute: string): string =>
  attribute.slice(5).replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase())

/** An element that stands in a page, with its attributes and its text. */
export function elementOf(tag: string, attributes: ReadonlyMap<string, string>, text: string): UnknownValue {
  const hint = ['id', 'name', 'class'].map((name) => attributes.get(name) ?? '').join(' ')
  const element = hostObject(`element:${tag}`, hint.trim().slice(0, 200))
  const set = new Map<string, Value>()
  for (const [name, value] of attributes) {
    element.entries?.set(attributeKey(name), value)
    if (name.startsWith('data-')) set.set(dataName(name), value)
    else if (!name.startsWith('on')) element.entries?.set(name === 'class' ? 'className' : name, value)
  }
  element.entries?.set(WHOLE, true)
  for (const name of ['id', 'alt', 'title', 'name', 'className'])
    if (element.entries?.has(name) === false) element.entries.set(name, '')
  element.entries?.set('dataset', { kind: 'object', entries: set })
  if (text !== '')
    for (const name of ['innerHTML', 'innerText', 'textContent']) element.entries?.set(name, text)
  return element
}

const MAX_CHILDREN = 200

/** Puts one thing into another that the script has made: a field into a form, a value into the data of one. */
export function adopt(object: UnknownValue, args: readonly Value[]): void {
  if (object.entries === null || !/^(?:element:|fields|new |made|URLSearchParams)/u.test(object.path)) return
  for (const arg of args) {
    const isElement =
      typeof arg === 'object' && arg !== null && arg.kind === 'unknown' && arg.entries !== null
    if (object.entries.size >= MAX_CHILDREN) return
    if (isElement) object.entries.set(` child ${object.entries.size}`, arg)
    else if (taintOf(arg) !== 0)
      object.entries.set(` value ${object.entries.size}`, unknown({ taint: taintOf(arg) }))
  }
}
