// Effects of writing to elements, by any interface: properties, attributes, jQuery's `attr`.
import { noteHandler, noteWrite } from './browser-sinks.ts'
import type { Machine } from './machine.ts'
import { seePath } from './observations.ts'
import { hostObject, isUnknown, taintOf, unknownValue, type UnknownValue, type Value } from './values.ts'

/** Property names of attributes, if they differ. */
const PROPERTIES: Readonly<Record<string, string>> = {
  formaction: 'formAction',
  class: 'className',
  'xlink:href': 'href',
}

/** Marks an element whose attributes are all known. */
const WHOLE = ' whole'

/** Key under which an attribute is stored, next to the properties of an element. */
const attributeKey = (name: string): string => ` @${name.toLowerCase().slice(0, 60)}`

/** Writes an attribute; if it is a handler, its code is run. */
export function writeAttribute(machine: Machine, object: UnknownValue, name: Value, value: Value): void {
  if (typeof name !== 'string') return
  const property = PROPERTIES[name.toLowerCase()] ?? name
  object.entries?.set(attributeKey(name), value)
  if (/^on[a-z]/u.test(name)) {
    if (/^\$?element$/u.test(object.path)) seePath(machine.observed, '<handler replaced>')
    noteHandler(machine, object, name.slice(2), value)
  } else if (ACTING.has(property)) noteWrite(machine, object, property, value)
}

/** Attributes that load, navigate or send. */
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

/** The attribute as written; for `data-x`, as written to the dataset. */
export function readAttribute(object: UnknownValue, name: Value): Value {
  if (typeof name !== 'string' || object.entries === null) return undefined
  const written = object.entries.get(attributeKey(name)) ?? object.entries.get(name)
  if (written !== undefined || !name.startsWith('data-')) return written
  const set = object.entries.get('dataset')
  if (typeof set !== 'object' || set === null || set.kind === 'function' || !('entries' in set))
    return undefined
  return set.entries?.get(dataName(name))
}

/** The value of a missing attribute if the element is completely known; otherwise undefined (unknown). */
export const missingAttribute = ({ entries }: UnknownValue): Value =>
  entries?.has(WHOLE) === true ? null : undefined

/** `data-long-name` is `dataset.longName`. */
export const dataName = (attribute: string): string =>
  attribute.slice(5).replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase())

/** An element of a page, with its attributes and its text. */
export function elementOf(tag: string, attributes: ReadonlyMap<string, string>, text: string): UnknownValue {
  const hint = ['id', 'name', 'class'].map((name) => attributes.get(name)).join(' ')
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

/** Adds one object to another that the script has created, for example a field to a form or a value to form data. */
export function adopt(object: UnknownValue, args: readonly Value[]): void {
  if (object.entries === null || !/^(?:element:|fields|new |made|URLSearchParams)/u.test(object.path)) return
  for (const arg of args) {
    const isElement =
      typeof arg === 'object' && arg !== null && arg.kind === 'unknown' && arg.entries !== null
    if (object.entries.size >= MAX_CHILDREN) return
    if (isElement) object.entries.set(` child ${object.entries.size}`, arg)
    else if (taintOf(arg) !== 0)
      object.entries.set(` value ${object.entries.size}`, unknownValue({ taint: taintOf(arg) }))
  }
}

/** Key of the text of a text node. */
const NODE_TEXT = ' text'

export function textNode(text: Value): UnknownValue {
  const node = hostObject('text node', '', taintOf(text))
  node.entries?.set(NODE_TEXT, text)
  return node
}

/** Text that is put into a script runs, and that of a style applies, also if it is put there as a node. */
export function noteScriptText(machine: Machine, self: UnknownValue, args: readonly Value[]): void {
  const isStyle = self.path === 'element:style'
  if (!isStyle && self.path !== 'element:script') return
  for (const arg of args) {
    const isNode = isUnknown(arg) && arg.path === 'text node'
    if (isNode || isStyle || typeof arg === 'string')
      noteWrite(machine, self, 'text', isNode ? arg.entries?.get(NODE_TEXT) : arg)
  }
}
