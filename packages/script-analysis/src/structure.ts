// The structure of a script independent of its formatting: a hash of its syntax tree, which whitespace, comments,
// line breaks and other numeric literals do not change.
import { createHash, type Hash } from 'node:crypto'
import { parse } from 'meriyah'
import { scanBlocks } from './blocks.ts'

type Goal = 'script' | 'module'

export interface Structure {
  /** SHA-256, hexadecimal, of the tree in canonical form. */
  readonly hash: string
  /** How it was parsed; most scripts can be parsed both ways, and count as `script`. */
  readonly goal: Goal
}

/** Longer scripts are not parsed: their trees take a hundred times as much memory. */
const MAX_PARSED = 1_048_576

/** Characters that are collected before they are hashed. */
const CHUNK = 65_536

/**
 * Parses a script, first as a classic script and then as a module. It is only parsed.
 *
 * Included from the tree: node types, operators, names, strings by their value, regular expressions and templates by
 * their text. Left out: positions, numbers (all are equal), and empty statements in lists.
 *
 * A script of more than a megabyte is not parsed. Its hash is that of its text without comments, with whitespace
 * reduced and numbers masked.
 *
 * @returns undefined if it is neither, or nested too deeply to be parsed.
 */
export function readStructure(source: string): Structure | undefined {
  if (source.length > MAX_PARSED) return { hash: hashLongText(source), goal: 'script' }
  const parsed = parseScript(source)
  return parsed && { hash: hashTree(parsed.tree), goal: parsed.goal }
}

/** @returns undefined if it is neither a script nor a module, is nested too deeply, or is longer than a megabyte. */
export function parseScript(source: string): { readonly tree: object; readonly goal: Goal } | undefined {
  if (source.length > MAX_PARSED) return undefined
  for (const goal of ['script', 'module'] as const) {
    const tree = parseAs(source, goal)
    if (tree !== undefined) return { tree, goal }
  }
  return undefined
}

function hashLongText(source: string): string {
  const masked = scanBlocks(source, true).trimmed.replaceAll(/(?<![\w$.])\d[\d.]*/gu, '#')
  return createHash('sha256').update(masked).digest('hex')
}

function parseAs(source: string, sourceType: Goal): object | undefined {
  try {
    // Regular expressions are kept as text: whether they compile is not checked.
    return parse(source, { sourceType, next: true, webcompat: true, validateRegex: false })
  } catch {
    // Any parser error on hostile input, including stack overflow: it cannot be parsed.
    return undefined
  }
}

/** How it was parsed is not part of its structure. */
const LEFT_OUT = 'sourceType'

/** Walks with its own stack: a tree may be deeper than the engine's. */
function hashTree(tree: object): string {
  const writer = createWriter()
  const waiting: unknown[] = [tree]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value instanceof Closing) writer.write(value.text)
    else if (Array.isArray(value)) openList(value, writer.write, waiting)
    else if (typeof value === 'object' && value !== null) openNode(value, writer.write, waiting)
    else writer.write(leafText(value))
  }
  return writer.digest()
}

/** Written after everything inside has been written. */
class Closing {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
const END_OF_LIST = new Closing(']')
const END_OF_NODE = new Closing('}')

function openList(list: readonly unknown[], write: (text: string) => void, waiting: unknown[]): void {
  write('[')
  waiting.push(END_OF_LIST)
  for (let index = list.length - 1; index >= 0; index -= 1) {
    // `;;` equals `;`: formatters remove the second one.
    if (typeOf(list[index]) !== 'EmptyStatement') waiting.push(list[index])
  }
}

function openNode(node: object, write: (text: string) => void, waiting: unknown[]): void {
  if ('regex' in node) return write(`/${JSON.stringify(node.regex)}`)
  if (typeOf(node) === 'Literal' && 'value' in node && isNumber(node.value)) return write('#')
  write('{')
  waiting.push(END_OF_NODE)
  // In a fixed order, so that another version of the parser changes nothing.
  const members = Object.entries(node).toSorted(([a], [b]) => (a < b ? 1 : -1))
  for (const [name, value] of members) {
    if (name !== LEFT_OUT && value !== undefined) waiting.push(value, new Closing(`${name}:`))
  }
}

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

/** For strings, names, operators, flags and absent values; JSON marks where a string ends. */
const leafText = (value: unknown): string => (value === undefined ? ',' : `${JSON.stringify(value)},`)

function createWriter() {
  const hash: Hash = createHash('sha256')
  let chunk = ''
  return {
    write(text: string): void {
      chunk += text
      if (chunk.length < CHUNK) return
      hash.update(chunk)
      chunk = ''
    },
    digest: (): string => hash.update(chunk).digest('hex'),
  }
}
