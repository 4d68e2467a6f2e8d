// Elements that a script creates, or looks up in the page: by ID, selector or tag, and the text that it has written into them.
import { writeAttribute } from './browser-attributes.ts'
import type { Effect } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { seePath } from './observations.ts'
import { hostObject, PRIVATE_TAINT, taintOf, textStart, type UnknownValue, type Value } from './values.ts'

const MAX_HINT = 160

export const hintOf = (args: readonly Value[]): string =>
  args
    .map((arg) => textStart(arg).slice(0, MAX_HINT))
    .join(' ')
    .slice(0, MAX_HINT)

export const elementById: Effect = (machine, call) => {
  const [id] = call.args
  return (typeof id === 'string' ? machine.elements.get(id) : undefined) ?? element(machine, call)
}

export const element: Effect = (_, { self, args }) =>
  hostObject('element', `${self.hint} ${hintOf(args)}`.trim().slice(0, 200))

/** Key of the markup that was written into an element. */
export const WRITTEN = ' written'
const MAX_ENTITIES = 20_000

/** Markup that was written into an element, read back as text: it decodes entities. */
export const elementText: Effect = (_, { self, args }) => {
  const written = self.entries?.get(WRITTEN)
  if (typeof written !== 'string' || args.length > 0 || written.length > MAX_ENTITIES) return undefined
  return decodeEntities(written)
}

const decodeEntities = (text: string): string =>
  text
    .replaceAll(/&#x([\da-f]{1,5});?/giu, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    )
    .replaceAll(/&#(\d{1,6});?/gu, (_, digits: string) => String.fromCodePoint(Number(digits)))

/** The scripts of the page: the last one is the one that runs, as long as the page loads. */
export const elementsByTag: Effect = (machine, call) => {
  const { self, args } = call
  const [tag] = args
  if (!self.path.startsWith('document') || typeof tag !== 'string' || tag.toLowerCase() !== 'script')
    return element(machine, call)
  const script = hostObject('element:script')
  for (const name of ['innerHTML', 'innerText', 'textContent', 'text'])
    script.entries?.set(name, machine.text())
  return { kind: 'array', items: [script] }
}

export const createElement: Effect = (machine, { args }) => newElement(machine, args[0])

/** An element with the attributes of an object. */
export function elementWith(machine: Machine, [tag, attributes]: readonly Value[]): Value {
  const made = newElement(machine, tag)
  if (typeof attributes === 'object' && attributes?.kind === 'object')
    for (const [name, value] of attributes.entries) writeAttribute(machine, made, name, value)
  return made
}

function newElement({ observed }: Machine, named: Value): UnknownValue {
  const tag = textStart(named).toLowerCase().slice(0, 20)
  seePath(observed, `<${tag}>`)
  // Its name can be read again.
  const made = hostObject(`element:${tag}`, '', taintOf(named) & PRIVATE_TAINT)
  // Some scripts write the text of another one piece by piece.
  if (tag === 'script') made.entries?.set('text', '')
  return made
}
