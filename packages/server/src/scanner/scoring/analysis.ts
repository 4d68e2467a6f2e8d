// Everything that is found out about a script before it is judged: its text, its trees, and what the interpreter saw it do, layer by layer.
import { elementOf } from './browser-attributes.ts'
import { decodeText } from './encodings.ts'
import { MAX_LAYER_TEXT, MAX_LAYERS, MAX_STEPS } from './limits.ts'
import { createMachine, type Machine } from './machine.ts'
import {
  addStored,
  createObservations,
  type Observations,
  seeDecoded,
  seeFlow,
  seePath,
  seeText,
} from './observations.ts'
import { looksLikeMarkup, type PageElement, readPageText } from './page-text.ts'
import { unpack } from './packed.ts'
import { addShape, createShape, type TreeShape } from './shape.ts'
import type { UnknownValue } from './values.ts'
import { listNodes, type Node, type ReadSource, readSource } from './syntax-tree.ts'

export interface Analysis {
  readonly source: string
  readonly observed: Observations
  /** Of the script as it came. */
  readonly shape: TreeShape
  /** Of all code in it, decoded layers too. */
  readonly wholeShape: TreeShape
  readonly isParsed: boolean
  readonly kind: SourceKind
  /** How many texts of code were found in other code. */
  readonly layerCount: number
  /** Source, decoded texts and layers, for patterns that look across them. */
  readonly corpus: string
}

/** What a text is. script: or a page with one. page: without. deep: code in it is nested too deeply to be read. none: nothing of these. */
export type SourceKind = 'script' | 'page' | 'deep' | 'none'

const MAX_CORPUS = 1_200_000
const MAX_LOOSE_TEXT = 4000

/**
 * Looks at a script in bounded time. It is never run: what can be told without a browser is computed by an interpreter of our own.
 * `steps`: what that may take.
 */
export function analyse(source: string, steps = MAX_STEPS): Analysis {
  const observed = createObservations()
  const machine = createMachine(observed, steps)
  const shape = createShape()
  const wholeShape = createShape()
  let kind = readCode(machine, source, [shape, wholeShape])
  const isParsed = kind === 'script' || kind === 'page'
  let layerCount = 0
  let room = MAX_LAYER_TEXT
  for (let i = 0; i < observed.layers.length && layerCount < MAX_LAYERS * 4; i += 1) {
    const layer = observed.layers[i]
    if (layer === undefined || layer.text.length > room) continue
    room -= layer.text.length
    layerCount += 1
    if (readCode(machine, layer.text, [wholeShape]) === 'deep') kind = 'deep'
  }
  addStored(observed, machine.storedLater)
  readEncodedTexts(observed)
  const corpus = corpusOf(source, observed)
  return { source, observed, shape, wholeShape, isParsed, kind, layerCount, corpus }
}

/** Reads a text as a script; what is none, as a page. */
function readCode(machine: Machine, text: string, shapes: readonly TreeShape[]): SourceKind {
  const isMarkup = looksLikeMarkup(text)
  const read = readSource(text.replace(/^\uFEFF/u, ''))
  // `<!--` begins a comment of one line in a script (ECMA-262 §B.1.1), and a comment of many in a page.
  const isScript = read.kind === 'program' && !(isMarkup && read.program.body.length === 0)
  if (isMarkup && !isScript) return readPage(machine, text, shapes)
  readScript(machine, text, read, shapes)
  return read.kind === 'program' ? 'script' : read.kind
}

function readPage(machine: Machine, text: string, shapes: readonly TreeShape[]): SourceKind {
  const { observed } = machine
  const page = readPageText(text)
  for (const { tag, address } of page.loads) {
    seeText(observed, address)
    seePath(observed, `<${tag}>`)
    seeFlow(observed, { sink: tag, address: address.slice(0, 300), taint: 0 })
  }
  if (page.hasHiddenFrame) seePath(observed, '<hidden frame>')
  const elements = new Map<PageElement, UnknownValue>()
  for (const one of page.elements) {
    const element = elementOf(one.tag, one.attributes, one.text)
    elements.set(one, element)
    const id = one.attributes.get('id')
    if (id !== undefined) machine.elements.set(id, element)
  }
  const kinds = page.scripts.map((script, i) => {
    const read = readSource(script)
    const owner = page.owners[i] ?? null
    readScript(machine, script, read, shapes, owner === null ? undefined : elements.get(owner))
    return read.kind
  })
  if (kinds.includes('deep')) return 'deep'
  if (kinds.length === 0) return 'page'
  return kinds.includes('program') ? 'script' : 'none'
}

function readScript(
  { observed, runProgram }: Machine,
  text: string,
  read: ReadSource,
  shapes: readonly TreeShape[],
  self?: UnknownValue,
): void {
  const conditional = readConditional(text)
  if (conditional !== null) observed.layers.push({ text: conditional, by: 'eval' })
  const packed = unpack(text)
  if (packed !== null) observed.layers.push({ text: packed, by: 'eval' })
  if (read.kind !== 'program') return readLoosely(observed, text)
  const nodes = listNodes(read.program)
  for (const shape of shapes) addShape(shape, nodes)
  for (const { node } of nodes) seeNode(observed, node)
  runProgram(read.program, self)
}

/** Code in comments that old browsers and the host of scripts of Windows run (`/*@cc_on … @*\/`), or null when there is none. */
function readConditional(text: string): string | null {
  if (!/@cc_on/iu.test(text)) return null
  return text
    .replaceAll(/\/\*@(?:cc_on)?|\/\/@(?:cc_on)?|@\*\//giu, ' ')
    .replaceAll(/@cc_on|@(?:if|elif)\s{0,20}\([^()\n]{0,200}\)|@set[^\n;]*|@else|@end/giu, ' ')
}

/** Names and texts of the tree, whether or not they are ever reached. */
function seeNode(observed: Observations, node: Node): void {
  if (node.type === 'Literal' && typeof node.value === 'string') seeText(observed, node.value)
  else if (node.type === 'TemplateElement') seeText(observed, node.value.cooked ?? '')
  else if (
    node.type === 'MemberExpression' &&
    node.computed !== true &&
    node.property.type === 'Identifier'
  ) {
    seePath(observed, `.${node.property.name.slice(0, 60)}`)
  } else if (node.type === 'DebuggerStatement') seePath(observed, 'debugger')
}

/** What no parser takes still has names and texts in it. */
function readLoosely(observed: Observations, text: string): void {
  for (const [, name] of text.matchAll(/\.([A-Za-z_$][\w$]{1,40})/gu)) seePath(observed, `.${name ?? ''}`)
  // Whatever a quote begins is consumed, so that no character is looked at twice.
  for (const [whole] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/gu)) {
    const isClosed = whole.length >= 4 && whole.endsWith(whole.charAt(0))
    if (isClosed && whole.length <= MAX_LOOSE_TEXT) seeText(observed, whole.slice(1, -1))
  }
}

/** Texts that are encoded and that the script was not seen to decode. */
function readEncodedTexts(observed: Observations): void {
  let budget = 400_000
  for (const text of [...observed.texts, ...observed.decoded]) {
    budget -= text.length
    if (budget < 0) return
    const decoded = decodeText(text)
    if (decoded !== null) seeDecoded(observed, decoded)
  }
}

function corpusOf(source: string, observed: Observations): string {
  const parts = [source]
  let length = source.length
  const texts = [
    ...observed.layers.map(({ text }) => text),
    ...observed.decoded,
    ...observed.flows.map(({ address }) => address),
  ]
  for (const text of texts) {
    if (length > MAX_CORPUS) break
    parts.push(text)
    length += text.length
  }
  return parts.join('\n').slice(0, MAX_CORPUS)
}
