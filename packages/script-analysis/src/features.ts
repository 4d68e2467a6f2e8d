// Named numbers about a script, each between 0 and about 1. They are the input of the model.
import type { Analysis } from './analysis.ts'
import { elementAt } from './checked-reads.ts'
import { CONCEPTS } from './concepts.ts'
import { FLOW_NAMES, flowValues } from './flow-features.ts'
import { type Match, RULE_NAMES, ruleValues } from './rules.ts'
import { plainNodes } from './shape.ts'
import { PAIR_NAMES, pairValues } from './tree-pairs.ts'
import { WORD_NAMES, wordValues } from './words.ts'

const SHAPE_NAMES = [
  'size',
  'line length',
  'longest line',
  'escapes',
  'symbols',
  'digits',
  'entropy',
  'hex names',
  'short names',
  'computed members',
  'texts',
  'text length',
  'longest text',
  'numbers',
  'depth',
  'calls',
  'functions',
  'binaries',
  'array of texts',
  'decoded',
  'decoded share',
  'layers',
  'layer size',
  'comments',
  'not parsed',
  'white space',
  'conditionals',
  'assignments',
  'handlers',
  'loops',
  'switches',
  'encoded texts',
  'hexadecimal texts',
  'non-Latin characters',
  'calls of layers',
  'computed members of layers',
] as const

const SOURCES = [
  'field-values',
  'all-fields',
  'form-data',
  'card-words',
  'card-pattern',
  'password-words',
  'cookie',
  'storage',
  'key-events',
  'input-events',
  'submit-events',
  'pointer-events',
  'referrer',
  'user-agent',
]
const SINKS = [
  'request',
  'jquery-request',
  'beacon',
  'image-made',
  'socket',
  'script-made',
  'frame-made',
  'form-made',
  'navigates',
  'base64-encode',
  'writes-markup',
  'evaluates',
]

/** Pairs that mean more together than separately. */
const PAIRS: readonly (readonly [string, string])[] = [
  ...SOURCES.flatMap((source) => SINKS.map((sink) => [source, sink] as const)),
  ['card-pattern', 'field-values'],
  ['checkout-words', 'field-values'],
  ['checkout-words', 'interval'],
  ['checkout-words', 'script-made'],
  ['checkout-words', 'base64-decode'],
  ['place', 'base64-decode'],
  ['devtools-words', 'field-values'],
  ['window-size', 'field-values'],
  ['referrer', 'search-engines'],
  ['char-codes', 'evaluates'],
  ['unescape', 'document-write'],
  ['base64-decode', 'script-made'],
  ['base64-decode', 'evaluates'],
  ['base64-decode', 'socket'],
  ['wasm', 'socket'],
  ['worker', 'processor-count'],
  ['clipboard-write', 'shell-words'],
  ['executable-words', 'navigates'],
  ['socket', 'evaluates'],
]

const PAIR_INDEXES = PAIRS.map(([a, b]) => [conceptIndex(a), conceptIndex(b)] as const)
const RAW_NAMES = [
  ...CONCEPTS.map(({ name }) => name),
  ...FLOW_NAMES,
  ...PAIRS.map(([a, b]) => `${a} & ${b}`),
  ...WORD_NAMES,
]

function conceptIndex(name: string): number {
  const index = CONCEPTS.findIndex((concept) => concept.name === name)
  if (index === -1) throw new Error(`there is no concept ${name}`)
  return index
}

/** In the order of the values. `… in little code` is the same number, scaled down for larger scripts. */
export const FEATURE_NAMES: readonly string[] = [
  ...SHAPE_NAMES,
  ...RAW_NAMES,
  ...RAW_NAMES.map((name) => `${name} in little code`),
  ...PAIR_NAMES,
  ...RULE_NAMES,
]

/** How many of the first features describe only the shape. */
export const SHAPE_COUNT = SHAPE_NAMES.length

/**
 * The features of a script. `concepts`: its values of CONCEPTS. `ownHosts`: hosts of the site that loads it.
 * `matches`: the findings of the rules.
 */
export function featuresOf(
  analysis: Analysis,
  concepts: readonly number[],
  ownHosts: readonly string[],
  matches: readonly Match[],
): Float64Array {
  const raw = [
    ...concepts,
    ...flowValues(analysis, ownHosts),
    ...PAIR_INDEXES.map(([a, b]) => elementAt(concepts, a) * elementAt(concepts, b) * 2),
    ...wordValues(analysis),
  ]
  const small = smallness(analysis)
  return Float64Array.from([
    ...shapeValues(analysis),
    ...raw,
    ...raw.map((value) => value * small),
    ...pairValues(analysis.wholeShape.pairs, analysis.wholeShape.nodes),
    ...ruleValues(matches),
  ])
}

/**
 * 1 for up to 300 nodes, 0 from 15,000 on. A mention somewhere in a library means little; in ten lines it is what
 * they are about.
 */
function smallness({ wholeShape, code }: Analysis): number {
  const nodes = wholeShape.nodes === 0 ? code.length / 8 : Math.max(1, plainNodes(wholeShape))
  return 1 - Math.min(1, Math.max(0, Math.log10(nodes / 300) / Math.log10(50)))
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const scaleLog = (value: number, full: number): number => Math.min(1.5, Math.log1p(value) / Math.log1p(full))

function shapeValues(analysis: Analysis): number[] {
  const { code, shape, wholeShape, observed, layerCount, isParsed } = analysis
  const text = code.slice(0, 100_000)
  const lines = text.split('\n')
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0)
  // No match is null, not an empty list.
  const matchesOf = (pattern: RegExp): readonly string[] => text.match(pattern) ?? []
  const countOf = (pattern: RegExp): number => matchesOf(pattern).length
  const lengthOf = (pattern: RegExp): number =>
    matchesOf(pattern).reduce((sum, match) => sum + match.length, 0)
  const values: Record<(typeof SHAPE_NAMES)[number], number> = {
    size: scaleLog(code.length, 300_000),
    'line length': scaleLog(share(text.length, lines.length), 5000),
    'longest line': scaleLog(longest, 100_000),
    escapes: Math.min(1, share(countOf(/\\x[\da-f]{2}|\\u[\da-f]{4}|%u?[\da-f]{2}/giu) * 16, text.length)),
    symbols: share(countOf(/[[\]()!+{}]/gu), text.length),
    digits: share(countOf(/\d/gu), text.length),
    entropy: entropyOf(text) / 8,
    'hex names': share(shape.hexNames, shape.names),
    'short names': share(shape.shortNames, shape.names),
    'computed members': share(shape.computedMembers, shape.members),
    texts: share(shape.texts, shape.nodes),
    'text length': scaleLog(share(shape.textLength, shape.texts), 1000),
    'longest text': scaleLog(shape.longestText, 50_000),
    numbers: share(shape.numbers, shape.nodes),
    depth: scaleLog(shape.maxDepth, 200),
    calls: share(shape.calls, shape.nodes),
    functions: share(shape.functions, shape.nodes),
    binaries: share(shape.binaries, shape.nodes),
    'array of texts': scaleLog(shape.arraysOfTexts, 500),
    decoded: scaleLog(observed.decoded.size, 2000),
    'decoded share': share(observed.decoded.size, observed.decoded.size + observed.texts.size),
    layers: Math.min(1, layerCount / 4),
    'layer size': share(wholeShape.nodes - shape.nodes, wholeShape.nodes),
    comments: Math.min(1, share(countOf(/\/\/[^\n]{3}|\/\*/gu) * 40, text.length)),
    'not parsed': isParsed ? 0 : 1,
    'white space': share(countOf(/\s/gu), text.length),
    ...treeValues(analysis),
    'encoded texts': share(lengthOf(/[A-Za-z\d+/]{60,}={0,2}/gu), text.length),
    'hexadecimal texts': share(lengthOf(/(?:%?[\da-f]{2}|\\x[\da-f]{2}|\d{2,3},){30,}/giu), text.length),
    'non-Latin characters': share(countOf(/[^\0-\xFF]/gu), text.length),
  }
  return SHAPE_NAMES.map((name) => values[name])
}

/** Ratios of the tree that characterize how a script works. */
function treeValues({
  shape,
  wholeShape,
}: Analysis): Pick<
  Record<(typeof SHAPE_NAMES)[number], number>,
  | 'conditionals'
  | 'assignments'
  | 'handlers'
  | 'loops'
  | 'switches'
  | 'calls of layers'
  | 'computed members of layers'
> {
  return {
    conditionals: share(shape.conditionals, shape.nodes),
    assignments: share(shape.assignments, shape.nodes),
    handlers: Math.min(1, share(shape.handlers * 20, shape.nodes)),
    loops: Math.min(1, share(shape.loops * 10, shape.nodes)),
    switches: Math.min(1, share(shape.switches * 20, shape.nodes)),
    'calls of layers': share(wholeShape.calls - shape.calls, wholeShape.calls),
    'computed members of layers': share(wholeShape.computedMembers, wholeShape.members),
  }
}

/** Shannon's entropy of the characters, in bits. */
function entropyOf(text: string): number {
  const counts = new Map<number, number>()
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
