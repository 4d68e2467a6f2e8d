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

/** The tree of a source, as a script or else as a module. null: neither (too deep for the parser's recursion counts as that). */
export function parseSource(source: string): ESTree.Program | null {
  for (const sourceType of GOALS) {
    try {
      return parse(source, {
        sourceType,
        next: true,
        webcompat: true,
        ranges: true,
        globalReturn: sourceType === 'script',
      })
    } catch {
      // Not of this goal. That a text does not parse is no evidence of anything, so the reason is of no use.
    }
  }
  return null
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
