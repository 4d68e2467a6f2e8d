// Everything that is known about a script before it is scored: its text, its trees, and what the interpreter saw it
// do, layer by layer.
import { elementOf } from './browser-attributes.ts'
import { calledByName } from './call-sites.ts'
import { decodeText } from './encodings.ts'
import { MAX_LAYER_TEXT, MAX_LAYERS, MAX_STEPS } from './limits.ts'
import { createMachine, type Machine, type ProgramContext } from './machine.ts'
import {
  AT_LOAD,
  addObservations,
  addStored,
  createObservations,
  type Layer,
  type Observations,
  seeDecoded,
  seeFlow,
  seeLayer,
  seePath,
  seeText,
} from './observations.ts'
import { mayBeBroken, type PageElement, type PageText, readMarkup } from './page-text.ts'
import { unpack } from './packed.ts'
import { recoverProgram } from './recovery.ts'
import { addShape, createShape, type TreeShape } from './shape.ts'
import { hostObject, type UnknownValue } from './values.ts'
import { cookedText, listNodes, type Node, type Program, type ReadSource, readSource } from './syntax-tree.ts'

export interface Analysis {
  readonly source: string
  /** The source, or the scripts of a page: what its words and its form are judged by. */
  readonly code: string
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
/** Share of the steps for the second run, without the elements of pages. */
const SHARE_WITHOUT_ELEMENTS = 1 / 6

/** What is read of a script or page, and of all code in it. */
interface Reading {
  readonly machine: Machine
  /** The programs that ran, in order. */
  readonly runs: Run[]
  /** Elements of pages that scripts can find. */
  elements: number
}

interface Run {
  readonly program: Program
  readonly about: ProgramContext
  readonly now: Observations['now']
}

/**
 * Analyzes a script in bounded time. The script is never run in a browser: an interpreter computes what is possible
 * without one. `steps`: the interpreter's budget.
 */
export function analyse(source: string, steps = MAX_STEPS): Analysis {
  const observed = createObservations()
  const machine = createMachine(observed, steps)
  const shape = createShape()
  const wholeShape = createShape()
  const reading: Reading = { machine, runs: [], elements: 0 }
  const second = createSecondRun(reading, steps)
  const read = readSource(withoutMark(source))
  const page = pageOf(source, read)
  let kind =
    page === null
      ? readScript(reading, source, read, [shape, wholeShape])
      : readPage(reading, page, [shape, wholeShape])
  if (page !== null && mayBeBroken(source)) {
    observed.now = AT_LOAD
    const other = readScript(reading, source, read, [shape, wholeShape])
    if (kind === 'none') kind = other
  }
  // Positions in decoded code, in a page or in repaired text are not positions in the script.
  observed.hasPositions = false
  const isParsed = (kind === 'script' || kind === 'page') && observed.recovered === 0
  seeUndecodedCode(observed)
  const layers = { list: observed.layers, next: 0, read: 0, budget: MAX_LAYER_TEXT }
  const ofSecond = { list: second.seen.layers, next: 0, read: 0, budget: MAX_LAYER_TEXT }
  if (!readLayers(reading, layers, wholeShape)) kind = 'deep'
  second.run()
  // They come last, and have their own limits, so that they keep none of the others from being read.
  if (!readLayers(reading, ofSecond, wholeShape)) kind = 'deep'
  if (!readLayers(reading, layers, wholeShape)) kind = 'deep'
  second.run()
  addObservations(observed, second.seen)
  addStored(observed, machine.storedLater | second.storedLater())
  readEncodedStrings(observed)
  const corpus = corpusOf(source, observed)
  const program = read.kind === 'program' ? read.program : null
  const code = page === null || page.isCut ? source : codeOf(page)
  const layerCount = layers.read + ofSecond.read
  return { source, code, program, observed, shape, wholeShape, isParsed, kind, layerCount, corpus }
}

/** Without its byte order mark. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/u, '')

interface Layers {
  readonly list: readonly Layer[]
  /** The first that was not looked at. */
  next: number
  /** How many of them were read. */
  read: number
  /** Characters that are left. */
  budget: number
}

/** Reads the layers that were not read yet, also those that are found meanwhile. @returns false if one is too deep. */
function readLayers(reading: Reading, layers: Layers, shape: TreeShape): boolean {
  const { observed } = reading.machine
  let isReadable = true
  const isOwn = layers.list === observed.layers
  for (; layers.next < layers.list.length; layers.next += 1) {
    const layer = layers.list[layers.next]
    // The second run finds most layers again.
    if (layer === undefined || (!isOwn && observed.layers.some(({ text }) => text === layer.text))) continue
    if (layers.read >= MAX_LAYERS * 4 || layer.text.length > layers.budget) {
      observed.isCut ||= isOwn
      continue
    }
    layers.budget -= layer.text.length
    layers.read += 1
    observed.now = layer.now
    if (readLayer(reading, layer.text, shape) === 'deep') isReadable = false
  }
  return isReadable
}

/** The scripts of a page, and the frames that it loads. */
function codeOf({ scripts, loads }: PageText): string {
  const frames = loads.filter(({ tag }) => tag === 'frame').map(({ address }) => `<iframe src="${address}">`)
  return [...frames, ...scripts].join('\n')
}

/**
 * Runs all programs again, by an interpreter that does not know the elements of their pages: a decoder can use up all
 * steps on the text of an element. Without that text, it shows what it does with any text.
 */
function createSecondRun(
  reading: Reading,
  steps: number,
): { readonly seen: Observations; readonly run: () => void; readonly storedLater: () => number } {
  const { runs } = reading
  const seen = createObservations()
  seen.hasPositions = false
  let machine: Machine | undefined
  let at = 0
  return {
    seen,
    /** Runs what has run since the last time. */
    run() {
      if (reading.elements === 0) return
      machine ??= createMachine(seen, Math.floor(steps * SHARE_WITHOUT_ELEMENTS))
      for (const { program, about, now } of runs.slice(at)) {
        seen.now = now
        // Of the element with the handler, only its kind is known here.
        const self = about.self === undefined ? undefined : hostObject(about.self.path, about.self.hint)
        machine.runProgram(program, { ...about, self })
      }
      at = runs.length
    },
    storedLater: () => machine?.storedLater ?? 0, // without elements there is no second run
  }
}

/** Reads code that other code passes on: as a script, or as a page if it is one. */
function readLayer(reading: Reading, text: string, shape: TreeShape): SourceKind {
  const read = readSource(withoutMark(text))
  const page = pageOf(text, read)
  return page === null ? readScript(reading, text, read, [shape]) : readPage(reading, page, [shape])
}

/** `<!--` begins a single-line comment in a script (ECMA-262 §B.1.1), and a multi-line comment in a page. */
const pageOf = (text: string, read: ReadSource): PageText | null =>
  read.kind !== 'program' || read.program.body.length === 0 ? readMarkup(text) : null

function readPage(reading: Reading, page: PageText, shapes: readonly TreeShape[]): SourceKind {
  const { observed, elements: byId } = reading.machine
  observed.hasPositions = false
  const { now } = observed
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
    if (id !== undefined) byId.set(id, element)
  }
  reading.elements += elements.size
  const kinds = page.scripts.map((script, i) => {
    const owner = page.owners[i] ?? null
    // Not the moment of the last callback of the script before.
    observed.now = now
    return readScript(
      reading,
      script,
      readSource(script),
      shapes,
      owner === null ? undefined : elements.get(owner),
    )
  })
  if (kinds.includes('deep')) return 'deep'
  if (kinds.length === 0) return 'page'
  return kinds.includes('script') ? 'script' : 'none'
}

/** @returns deep or none if nothing of it could be read as a tree */
function readScript(
  { machine: { observed, runProgram }, runs }: Reading,
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
  const about = { text: read.kind === 'program' ? text : '', called: calledByName(nodes), self }
  runs.push({ program, about, now: observed.now })
  runProgram(program, about)
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
