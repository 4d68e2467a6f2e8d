// Prints a script in one form, with a line for each statement and member, so that two versions of minified code
// can be compared line by line. Nothing is executed.
import { GENERATOR, generate, type Generator, type State } from 'astring'
import { parseScript } from './structure.ts'
import { listNodes, type Program } from './syntax-tree.ts'

/**
 * @returns its lines; undefined if it cannot be parsed, is too long to be parsed, or has syntax that cannot be
 * printed.
 */
export function beautify(source: string): readonly string[] | undefined {
  const parsed = parseScript(source)
  if (parsed === undefined) return undefined
  try {
    const tree = parsed.tree as Parameters<typeof generate>[0] // both follow ESTree
    return generate(tree, { generator: BROKEN_LINES }).split('\n')
  } catch {
    // Nested more deeply than the printer's stack, or syntax that the printer does not know.
    return undefined
  }
}

/** A line and a column, counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The printer reports names and values only: so far behind an offset the next one is looked for. */
const MAX_DISTANCE = 2000

/** Where the code at offsets of the source stands in its beautified form. Empty if it cannot be beautified. */
export function placesInBeautified(program: Program, offsets: readonly number[]): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>()
  if (offsets.length === 0) return places
  // The printer reports nodes that have a position, with whatever the position is.
  for (const { node } of listNodes(program)) {
    const { start } = node
    if (start !== undefined && offsets.some((offset) => start >= offset && start < offset + MAX_DISTANCE))
      Object.assign(node, { loc: { start } })
  }
  const nearest = new Map<number, number>()
  const addMapping = ({ original, generated }: Mapping): void => {
    for (const offset of offsets) {
      const known = nearest.get(offset)
      if (original < offset || (known !== undefined && original >= known)) continue
      nearest.set(offset, original)
      places.set(offset, { line: generated.line, column: generated.column + 1 })
    }
  }
  try {
    const tree = program as unknown as Parameters<typeof generate>[0] // both follow ESTree
    const sourceMap = { addMapping } as unknown as NonNullable<Options['sourceMap']> // with offsets as positions
    generate(tree, { generator: BROKEN_LINES, sourceMap })
  } catch {
    // As above: it has no beautified form.
    return new Map()
  }
  return places
}

type Options = NonNullable<Parameters<typeof generate>[1]>
interface Mapping {
  readonly original: number
  readonly generated: Place
}

/**
 * For text that cannot be parsed: breaks lines after semicolons, braces and commas, also inside strings, which is
 * the same in both versions.
 */
export const breakText = (source: string): readonly string[] =>
  source
    .split(/(?<=[;{},])|\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.trim())
    .filter((line) => line !== '')

type Node = Readonly<Record<string, unknown>>
type Print = (this: Generator, node: Node, state: State) => void

/** Minifiers join statements by commas and conditions: each gets its own line. */
const BROKEN_LINES: Generator = {
  ...GENERATOR,
  ...({
    SequenceExpression(node, state) {
      const lineBreak = () => state.write(`${state.lineEnd}${state.indent.repeat(state.indentLevel)}`)
      state.write('(')
      state.indentLevel += 1
      lineBreak()
      state.indentLevel -= 1
      printSeparated(this, nodesOf(node, 'expressions'), state)
      lineBreak()
      state.write(')')
    },
    VariableDeclaration(node, state) {
      state.write(`${String(node['kind'])} `)
      printSeparated(this, nodesOf(node, 'declarations'), state)
      state.write(';')
    },
  } satisfies Readonly<Record<string, Print>>),
} as unknown as Generator // both methods are those of the base, with looser nodes

function printSeparated(generator: Generator, nodes: readonly Node[], state: State): void {
  state.indentLevel += 1
  nodes.forEach((node, index) => {
    if (index > 0) state.write(`,${state.lineEnd}${state.indent.repeat(state.indentLevel)}`)
    const prints = generator as unknown as Readonly<Record<string, Print | undefined>> // by node type
    const print = prints[String(node['type'])]
    if (print === undefined) throw new Error(`${String(node['type'])} cannot be printed`)
    print.call(generator, node, state)
  })
  state.indentLevel -= 1
}

const nodesOf = (node: Node, member: string): readonly Node[] => node[member] as readonly Node[] // by ESTree
