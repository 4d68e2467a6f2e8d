// A script as a tree, and all its nodes in one list, walked without recursion.
import { type ESTree, parse } from 'meriyah'
import { MAX_NODES } from './limits.ts'

export type Node = ESTree.Node
export type NodeOf<K extends Node['type']> = Extract<Node, { type: K }>
export type FunctionNode = NodeOf<'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'>

/** One node with what stands around it. */
export interface Visited {
  readonly node: Node
  readonly parent: Node | null
  readonly depth: number
}

const GOALS = ['script', 'module'] as const

/** A source as it was read. deep: nested more deeply than the parser's stack goes. none: no script. */
export type ReadSource =
  | { readonly kind: 'program'; readonly program: ESTree.Program }
  | { readonly kind: 'deep' | 'none' }

/** Reads a source, as a script or else as a module. How deep it may be depends on the stack of the process. */
export function readSource(source: string): ReadSource {
  let isDeep = false
  for (const goal of GOALS) {
    try {
      return { kind: 'program', program: parse(source, optionsFor(goal)) }
    } catch (error) {
      // Not of this goal. What the parser says of it is of no use to anybody; the end of its stack is.
      isDeep ||= error instanceof RangeError
    }
  }
  return { kind: isDeep ? 'deep' : 'none' }
}

/** The tree of a source, as a script or else as a module. null: it cannot be read. */
export function parseSource(source: string): ESTree.Program | null {
  const read = readSource(source)
  return read.kind === 'program' ? read.program : null
}

/**
 * A script without its comments, and with one space or line break where there were more of them. What cannot be read as a
 * script stays as it is.
 */
export function withoutPadding(source: string): string {
  for (const goal of GOALS) {
    const parts: string[] = []
    let end = 0
    const onToken = (_: unknown, from: number, to: number): void => {
      const gap = source.slice(end, from)
      // A line break can end a statement.
      parts.push(gap === '' ? '' : /[\n\r\u2028\u2029]/u.test(gap) ? '\n' : ' ', source.slice(from, to))
      end = to
    }
    try {
      parse(source, { ...optionsFor(goal), onToken })
      return parts.join('')
    } catch {
      // Not of this goal.
    }
  }
  return source
}

function optionsFor(sourceType: (typeof GOALS)[number]) {
  return {
    sourceType,
    next: true,
    webcompat: true,
    ranges: true,
    globalReturn: sourceType === 'script',
    // Browsers know more of regular expressions than this engine does; here they are kept as text.
    validateRegex: false,
  } as const
}

/** The nodes in the order in which they stand in the source, at most MAX_NODES of them. */
export function listNodes(root: Node): readonly Visited[] {
  const found: Visited[] = []
  const open: Visited[] = [{ node: root, parent: null, depth: 0 }]
  for (let next = open.pop(); next !== undefined && found.length < MAX_NODES; next = open.pop()) {
    found.push(next)
    const children = childrenOf(next.node)
    for (let i = children.length - 1; i >= 0; i -= 1) {
      const node = children[i]
      if (node !== undefined) open.push({ node, parent: next.node, depth: next.depth + 1 })
    }
  }
  return found
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item)
    } else if (isNode(value)) {
      children.push(value)
    }
  }
  return children
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}
