// What a script is apart from how it is written: a hash of its syntax tree, which spaces, comments, line breaks and
// another numeric literal leave as it is.
import { createHash, type Hash } from 'node:crypto'
import { parse } from 'meriyah'

type Goal = 'script' | 'module'

export interface Structure {
  /** SHA-256, hexadecimal, of the tree in canonical form. */
  readonly hash: string
  /** How it could be read; most scripts are read alike both ways, and count as `script`. */
  readonly goal: Goal
}

/** Characters that are gathered before they are hashed. */
const PORTION = 65_536

/**
 * Reads a script, as a classic one first and as a module then. Reading is all that is done with it.
 *
 * Kept of the tree: types of nodes, operators, names, texts by their value, regular expressions and templates by their
 * text. Left out: places, numbers (any of them stands for any other), and empty statements in lists.
 *
 * @returns undefined where it is neither, or nested too deeply to be read.
 */
export function readStructure(source: string): Structure | undefined {
  for (const goal of ['script', 'module'] as const) {
    const tree = parseAs(source, goal)
    if (tree !== undefined) return { hash: hashTree(tree), goal }
  }
  return undefined
}

function parseAs(source: string, sourceType: Goal): object | undefined {
  try {
    // Regular expressions are kept as text: whether they can be compiled is not ours to find out.
    return parse(source, { sourceType, next: true, webcompat: true, validateRegex: false })
  } catch {
    // Whatever the parser says of hostile input, and the end of its stack: it cannot be read.
    return undefined
  }
}

/** How it was read is not what it is. */
const LEFT_OUT = 'sourceType'

/** Walks with a stack of its own: a tree may be deeper than the engine's. */
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

/** What is written once all that stands inside has been. */
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
    // `;;` is `;`: a formatter takes the second one away.
    if (typeOf(list[index]) !== 'EmptyStatement') waiting.push(list[index])
  }
}

function openNode(node: object, write: (text: string) => void, waiting: unknown[]): void {
  if ('regex' in node) return write(`/${JSON.stringify(node.regex)}`)
  if (typeOf(node) === 'Literal' && 'value' in node && isNumber(node.value)) return write('#')
  write('{')
  waiting.push(END_OF_NODE)
  // In an order of our own, so that another version of the parser changes nothing.
  const members = Object.entries(node).toSorted(([a], [b]) => (a < b ? 1 : -1))
  for (const [name, value] of members) {
    if (name !== LEFT_OUT && value !== undefined) waiting.push(value, new Closing(`${name}:`))
  }
}

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

/** Of texts, names, operators, flags and what is absent; JSON tells where a text ends. */
const leafText = (value: unknown): string => `${JSON.stringify(value) ?? ''},`

function createWriter() {
  const hash: Hash = createHash('sha256')
  let portion = ''
  return {
    write(text: string): void {
      portion += text
      if (portion.length < PORTION) return
      hash.update(portion)
      portion = ''
    },
    digest: (): string => hash.update(portion).digest('hex'),
  }
}
