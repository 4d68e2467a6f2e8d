// Parses a script to a tree, and lists its nodes without recursion.
import { type ESTree, parse } from 'meriyah'
import { elementAt } from './checked-reads.ts'
import { MAX_NODES } from './limits.ts'

export type Node = ESTree.Node
export type Program = ESTree.Program
export type NodeOf<K extends Node['type']> = Extract<Node, { type: K }>
export type FunctionNode = NodeOf<'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'>

/** One node with its context in the tree. */
export interface Visited {
  readonly node: Node
  readonly parent: Node | null
  readonly depth: number
}

const GOALS = ['script', 'module'] as const

/** The result of parsing. deep: nested more deeply than the parser's stack allows. none: not a script. */
export type ReadSource =
  | { readonly kind: 'program'; readonly program: ESTree.Program }
  | { readonly kind: 'deep' | 'none' }

/** Parses a source as a script, otherwise as a module. The possible depth depends on the stack of the process. */
export function readSource(source: string): ReadSource {
  let isDeep = false
  for (const goal of GOALS) {
    try {
      return { kind: 'program', program: parse(source, optionsFor(goal)) }
    } catch (error) {
      // Not valid for this goal. Only a stack overflow is relevant, not the parser's message.
      isDeep ||= error instanceof RangeError
    }
  }
  return { kind: isDeep ? 'deep' : 'none' }
}

/** Where something stands in a text. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Where the statements of a script stand. */
export const statementsOf = (program: Program | null): readonly Stretch[] =>
  program === null
    ? []
    : program.body.flatMap(({ start, end }) =>
        start === undefined || end === undefined ? [] : [{ start, end }],
      )

/** The tree of a module or script, or where the parser stopped: at the farther of both. */
export function parseWithError(
  source: string,
):
  | { readonly program: ESTree.Program; readonly error: null }
  | { readonly program: null; readonly error: { readonly start: number } } {
  let start = 0
  for (const goal of GOALS) {
    try {
      return { program: parse(source, optionsFor(goal)), error: null }
    } catch (error) {
      // The parser's errors have their position; a stack overflow has none.
      if (error instanceof SyntaxError && 'start' in error && typeof error.start === 'number')
        start = Math.max(start, error.start)
    }
  }
  return { program: null, error: { start } }
}

/** The tree of a source, as a script or otherwise as a module. null: it cannot be parsed. */
export function parseSource(source: string): ESTree.Program | null {
  const read = readSource(source)
  return read.kind === 'program' ? read.program : null
}

function optionsFor(sourceType: (typeof GOALS)[number]) {
  return {
    sourceType,
    next: true,
    webcompat: true,
    ranges: true,
    globalReturn: sourceType === 'script',
    // Browsers support more regular expressions than this engine; here they are kept as text.
    validateRegex: false,
  } as const
}

/** The nodes in source order, at most MAX_NODES of them. */
export function listNodes(root: Node): readonly Visited[] {
  const found: Visited[] = []
  const open: Visited[] = [{ node: root, parent: null, depth: 0 }]
  for (let next = open.pop(); next !== undefined && found.length < MAX_NODES; next = open.pop()) {
    found.push(next)
    const firstChild = open.length
    addChildren(open, next)
    // The last one is taken next.
    reverseFrom(open, firstChild)
  }
  return found
}

/** Adds the children of a node in source order. */
function addChildren(open: Visited[], { node, depth }: Visited): void {
  // Any member of a node, by name: a list of their values takes half as long again.
  const members = node as unknown as Readonly<Record<string, unknown>>
  for (const name in members) {
    const value = members[name]
    if (typeof value !== 'object' || value === null || name === 'range') continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) open.push({ node: item, parent: node, depth: depth + 1 })
    } else if (isNode(value)) open.push({ node: value, parent: node, depth: depth + 1 })
  }
}

function reverseFrom(list: Visited[], start: number): void {
  for (let [low, high] = [start, list.length - 1]; low < high; low += 1, high -= 1) {
    const one = elementAt(list, low)
    list[low] = elementAt(list, high)
    list[high] = one
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The text of a part of a template. */
export function cookedText({ value }: NodeOf<'TemplateElement'>): string {
  // A tagged template may have escapes that are not valid; such a part has no text.
  return value.cooked ?? ''
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}
