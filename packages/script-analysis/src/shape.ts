// The shape of a tree in numbers.
import { isFunction, type Visited } from './syntax-tree.ts'

export interface TreeShape {
  nodes: number
  maxDepth: number
  functions: number
  calls: number
  members: number
  computedMembers: number
  texts: number
  textLength: number
  longestText: number
  numbers: number
  hexNames: number
  shortNames: number
  names: number
  arraysOfTexts: number
  loops: number
  switches: number
  binaries: number
  conditionals: number
  assignments: number
  handlers: number
  /** How often each node type occurs inside which other, as `parent>child`. */
  readonly pairs: Map<string, number>
}

export function createShape(): TreeShape {
  return {
    nodes: 0,
    maxDepth: 0,
    functions: 0,
    calls: 0,
    members: 0,
    computedMembers: 0,
    texts: 0,
    textLength: 0,
    longestText: 0,
    numbers: 0,
    hexNames: 0,
    shortNames: 0,
    names: 0,
    arraysOfTexts: 0,
    loops: 0,
    switches: 0,
    binaries: 0,
    conditionals: 0,
    assignments: 0,
    handlers: 0,
    pairs: new Map(),
  }
}

/** Share of names that obfuscators generate. */
const OBFUSCATED_SHARE = 0.3
/** About how much longer obfuscation makes a script. */
const INFLATION = 5

/** About how many nodes the script had before obfuscation: a measure of its size. */
export function plainNodes({ nodes, hexNames, names }: TreeShape): number {
  return hexNames > names * OBFUSCATED_SHARE ? nodes / INFLATION : nodes
}

/** Adds the nodes of one tree. */
export function addShape(shape: TreeShape, nodes: readonly Visited[]): void {
  shape.nodes += nodes.length
  for (const visited of nodes) {
    shape.maxDepth = Math.max(shape.maxDepth, visited.depth)
    addNode(shape, visited)
  }
}

/** Nodes whose pairs are counted. */
const KINDS_OF_PAIRS = 3000

function addPair({ pairs }: TreeShape, { node, parent }: Visited): void {
  if (parent === null) return
  const name = nameOfPair(parent.type, node.type === 'Literal' ? typeof node.value : node.type)
  const count = pairs.get(name)
  if (count !== undefined) pairs.set(name, count + 1)
  else if (pairs.size < KINDS_OF_PAIRS) pairs.set(name, 1)
}

/** Names of pairs by both types: node types are few, and putting names together takes longer than looking them up. */
const NAMES_OF_PAIRS = new Map<string, Map<string, string>>()

function nameOfPair(outer: string, inner: string): string {
  let names = NAMES_OF_PAIRS.get(outer)
  if (names === undefined) NAMES_OF_PAIRS.set(outer, (names = new Map()))
  let name = names.get(inner)
  if (name === undefined) names.set(inner, (name = `${outer}>${inner}`))
  return name
}

function addNode(shape: TreeShape, visited: Visited): void {
  const { node } = visited
  addPair(shape, visited)
  if (isFunction(node)) shape.functions += 1
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
      shape.calls += 1
      return
    case 'MemberExpression':
      shape.members += 1
      if (node.computed === true) shape.computedMembers += 1
      return
    case 'Literal':
      addLiteral(shape, node.value)
      return
    case 'Identifier':
      shape.names += 1
      if (/^_0x[\da-f]{2,}|^_?[a-z]?0x[\da-f]{3,}/u.test(node.name)) shape.hexNames += 1
      if (node.name.length <= 2) shape.shortNames += 1
      return
    case 'ArrayExpression':
      if (
        node.elements.length >= 5 &&
        node.elements.every((element) => element?.type === 'Literal' && typeof element.value === 'string')
      ) {
        shape.arraysOfTexts = Math.max(shape.arraysOfTexts, node.elements.length)
      }
      return
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      shape.loops += 1
      return
    case 'SwitchStatement':
      shape.switches += 1
      return
    case 'BinaryExpression':
      shape.binaries += 1
      return
    case 'IfStatement':
    case 'ConditionalExpression':
      shape.conditionals += 1
      return
    case 'AssignmentExpression':
      shape.assignments += 1
      return
    case 'TryStatement':
      shape.handlers += 1
      return
    default:
  }
}

function addLiteral(shape: TreeShape, value: unknown): void {
  if (typeof value === 'number') shape.numbers += 1
  if (typeof value !== 'string') return
  shape.texts += 1
  shape.textLength += value.length
  shape.longestText = Math.max(shape.longestText, value.length)
}
