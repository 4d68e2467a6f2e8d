// Everything that is known about a script before it is scored: its text, its trees, and what the interpreter saw it
// do, layer by layer.
import { elementOf } from './browser-attributes.ts'
import { calledByName } from './call-sites.ts'
import { decodeText } from './encodings.ts'
import { MAX_LAYER_TEXT, MAX_LAYERS, MAX_STEPS } from './limits.ts'
import { createMachine, type Machine } from './machine.ts'
import {
  AT_LOAD,
  addStored,
  createObservations,
  type Observations,
  seeDecoded,
  seeFlow,
  seeLayer,
  seePath,
  seeText,
} from './observations.ts'
import { looksLikeMarkup, type PageElement, readPageText } from './page-text.ts'
import { unpack } from './packed.ts'
import { recoverProgram } from './recovery.ts'
import { addShape, createShape, type TreeShape } from './shape.ts'
import type { UnknownValue } from './values.ts'
import { cookedText, listNodes, type Node, type Program, type ReadSource, readSource } from './syntax-tree.ts'

export interface Analysis {
  readonly source: string
  /** Of the source without its byte order mark; null if it cannot be parsed without repairs. */
  readonly program: Program | null
  readonly observed: Observations
  /** Of the original script. */
  readonly shape: TreeShape
  /** Of all code in it, including decoded layers. */
  readonly wholeShape: TreeShape
  readonly isParsed: boolean
  readonly kind: SourceKind
  /** How many pieces of code were found inside other code. */
  readonly layerCount: number
  /** Source, decoded strings and layers, for patterns that search all of them. */
  readonly corpus: string
}

/**
 * The kind of a text. script: a script, or a page with one. page: a page without one. deep: its code is nested too
 * deeply to be parsed. none: neither.
 */
export type SourceKind = 'script' | 'page' | 'deep' | 'none'

const MAX_CORPUS = 1_200_000
const MAX_LOOSE_TEXT = 4000

/**
 * Analyzes a script in bounded time. The script is never run in a browser: an interpreter computes what is possible
 * without one. `steps`: the interpreter's budget.
 */
export function analyse(source: string, steps = MAX_STEPS): Analysis {
  const observed = createObservations()
  const machine = createMachine(observed, steps)
  const shape = createShape()
  const wholeShape = createShape()
  const read = readSource(withoutMark(source))
  let kind = readCode(machine, source, [shape, wholeShape], read)
  // Positions in decoded code, in a page or in repaired text are not positions in the script.
  observed.hasPositions = false
  const isParsed = (kind === 'script' || kind === 'page') && observed.recovered === 0
  let layerCount = 0
  let budget = MAX_LAYER_TEXT
  seeUndecodedCode(observed)
  for (const layer of observed.layers) {
    if (layerCount >= MAX_LAYERS * 4 || layer.text.length > budget) {
      observed.isCut = true
      continue
    }
    budget -= layer.text.length
    layerCount += 1
    observed.now = layer.now
    if (readCode(machine, layer.text, [wholeShape]) === 'deep') kind = 'deep'
  }
  addStored(observed, machine.storedLater)
  readEncodedStrings(observed)
  const corpus = corpusOf(source, observed)
  const program = read.kind === 'program' ? read.program : null
  return { source, program, observed, shape, wholeShape, isParsed, kind, layerCount, corpus }
}

/** Without its byte order mark. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/u, '')

/** Parses a text as a script; if that fails, as a page. */
function readCode(
  machine: Machine,
  text: string,
  shapes: readonly TreeShape[],
  read = readSource(withoutMark(text)),
): SourceKind {
  const isMarkup = looksLikeMarkup(text)
  // `<!--` begins a single-line comment in a script (ECMA-262 §B.1.1), and a multi-line comment in a page.
  const isScript = read.kind === 'program' && !(isMarkup && read.program.body.length === 0)
  if (isMarkup && !isScript) return readPage(machine, text, shapes)
  return readScript(machine, text, read, shapes)
}

function readPage(machine: Machine, text: string, shapes: readonly TreeShape[]): SourceKind {
  const { observed } = machine
  observed.hasPositions = false
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
    return readScript(machine, script, read, shapes, owner === null ? undefined : elements.get(owner))
  })
  if (kinds.includes('deep')) return 'deep'
  if (kinds.length === 0) return 'page'
  return kinds.includes('script') ? 'script' : 'none'
}

/** @returns deep or none if nothing of it could be read as a tree */
function readScript(
  { observed, runProgram }: Machine,
  text: string,
  read: ReadSource,
  shapes: readonly TreeShape[],
  self?: UnknownValue,
): SourceKind {
  const conditional = readConditional(text)
  if (conditional !== null) observed.layers.push({ text: conditional, by: 'eval', now: AT_LOAD })
  const packed = unpack(text)
  if (packed !== null) observed.layers.push({ text: packed, by: 'eval', now: observed.now })
  const program = read.kind === 'program' ? read.program : read.kind === 'none' ? recoverProgram(text) : null
  if (program === null) {
    readLoosely(observed, text)
    return read.kind === 'deep' ? 'deep' : 'none'
  }
  if (read.kind !== 'program') {
    observed.recovered += 1
    observed.hasPositions = false
    readLoosely(observed, text)
  }
  const nodes = listNodes(program)
  for (const shape of shapes) addShape(shape, nodes)
  for (const { node } of nodes) seeNode(observed, node)
  runProgram(program, { text: read.kind === 'program' ? text : '', called: calledByName(nodes), self })
  return 'script'
}

/** Code in comments that old browsers and Windows Script Host run (`/*@cc_on … @*\/`), or null if there is none. */
function readConditional(text: string): string | null {
  if (!/@cc_on/iu.test(text)) return null
  return text
    .replaceAll(/\/\*@(?:cc_on)?|\/\/@(?:cc_on)?|@\*\//giu, ' ')
    .replaceAll(/@cc_on|@(?:if|elif)\s{0,20}\([^()\n]{0,200}\)|@set[^\n;]*|@else|@end/giu, ' ')
}

/** Records names and strings of the tree, whether or not they are ever reached. */
function seeNode(observed: Observations, node: Node): void {
  if (node.type === 'Literal' && typeof node.value === 'string') seeText(observed, node.value)
  else if (node.type === 'TemplateElement') seeText(observed, cookedText(node))
  else if (
    node.type === 'MemberExpression' &&
    node.computed !== true &&
    node.property.type === 'Identifier'
  ) {
    seePath(observed, `.${node.property.name.slice(0, 60)}`)
  } else if (node.type === 'DebuggerStatement') seePath(observed, 'debugger')
}

/** Text that cannot be parsed still contains names and strings. */
function readLoosely(observed: Observations, text: string): void {
  for (const [path] of text.matchAll(/\.[A-Za-z_$][\w$]{1,40}/gu)) seePath(observed, path)
  // Everything after an opening quote is consumed, so that no character is scanned twice.
  for (const [whole] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/gu)) {
    const isClosed = whole.length >= 4 && whole.endsWith(whole.charAt(0))
    if (isClosed && whole.length <= MAX_LOOSE_TEXT) seeText(observed, whole.slice(1, -1))
  }
}

/** Shorter encoded texts are settings. */
const MIN_UNDECODED = 400
const MAX_UNDECODED = 3
/** Characters of the strings that are tried. */
const MAX_UNDECODED_TEXT = 2_000_000
const LOOKS_LIKE_CODE = /\bfunction\b[^(]{0,60}\(|\bdocument\s*[.[]|\bwindow\s*[.[]|\beval\s*\(/u

/** A script whose decoder takes more steps than there are still runs what it decodes. */
function seeUndecodedCode(observed: Observations): void {
  if (!observed.isCut || observed.layers.length > 0) return
  let left = MAX_UNDECODED
  let budget = MAX_UNDECODED_TEXT
  for (const text of observed.texts) {
    // A long text must not keep those behind it from being tried.
    if (text.length < MIN_UNDECODED || text.length > budget) continue
    if (left === 0) return
    budget -= text.length
    const decoded = decodeText(text)
    if (decoded === null || !LOOKS_LIKE_CODE.test(decoded)) continue
    left -= 1
    seeLayer(observed, { text: decoded, by: 'eval' })
  }
}

/** Characters of the strings that are tried. */
const MAX_ENCODED_TEXT = 400_000

/** Encoded strings that the script was not seen to decode. */
function readEncodedStrings(observed: Observations): void {
  let budget = MAX_ENCODED_TEXT
  for (const text of [...observed.texts, ...observed.decoded]) {
    if (text.length > budget) continue // as above
    budget -= text.length
    const decoded = decodeText(text)
    if (decoded !== null) seeDecoded(observed, decoded)
  }
}

function corpusOf(source: string, observed: Observations): string {
  const parts = [source]
  let length = source.length
  const strings = [
    ...observed.layers.map(({ text }) => text),
    ...observed.decoded,
    ...observed.flows.map(({ address }) => address),
  ]
  for (const text of strings) {
    if (length > MAX_CORPUS) break
    parts.push(text)
    length += text.length
  }
  return parts.join('\n').slice(0, MAX_CORPUS)
}
