// A regular expression: what it requires of a text, and whether it matches, in linear time if it can be.
import { RE2JS } from 're2js'
import type { Bytes } from '../bytes.ts'
import { backtrack, type BacktrackingResult } from './backtracking.ts'
import { checkLinearLimits } from './linear-limits.ts'
import { parsePattern } from './parse-pattern.ts'
import type { PatternNode } from './pattern-tree.ts'
import { printPattern } from './print-pattern.ts'
import { type Requirement, requirementOf } from './required-literals.ts'

export interface Pattern {
  readonly requirement: Requirement
  /** In the syntax of RE2; undefined if that cannot run it. */
  readonly source: string | undefined
  readonly test: (text: Bytes) => boolean
  /** What the last search took; undefined if its time depends on the length of the text alone. */
  readonly lastSearch?: () => Pick<BacktrackingResult, 'steps' | 'isComplete'>
  /** The whole match and its groups; undefined if nothing matches. Slower than `test`. */
  readonly find: (text: Bytes) => readonly (Bytes | undefined)[] | undefined
}

/**
 * Compiles a pattern. Its automaton is built on first use.
 * @throws PatternError for a pattern that cannot be read, or that its engine would refuse on first use
 */
export function compilePattern(source: string): Pattern {
  const tree = parsePattern(source)
  const requirement = requirementOf(tree)
  if (needsBacktracking(tree)) return backtrackingPattern(() => tree, requirement)
  checkLinearLimits(tree)
  return linearPattern(printPattern(tree), requirement)
}

/**
 * The same from what was found out before.
 * @param linear as `source` of the pattern
 */
export function patternFrom(source: string, requirement: Requirement, linear: string | undefined): Pattern {
  if (linear !== undefined) return linearPattern(linear, requirement)
  let tree: PatternNode | undefined
  return backtrackingPattern(() => (tree ??= parsePattern(source)), requirement)
}

function linearPattern(source: string, requirement: Requirement): Pattern {
  let engine: RE2JS | undefined
  const getEngine = (): RE2JS => (engine ??= RE2JS.compile(source))
  return {
    requirement,
    source,
    test: (text) => getEngine().test(text),
    find(text) {
      const matcher = getEngine().matcher(text)
      if (!matcher.find()) return undefined
      return Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined)
    },
  }
}

function backtrackingPattern(getTree: () => PatternNode, requirement: Requirement): Pattern {
  let last: Pick<BacktrackingResult, 'steps' | 'isComplete'> = { steps: 0, isComplete: true }
  const search = (text: Bytes): readonly (Bytes | undefined)[] | undefined => {
    const result = backtrack(getTree(), text)
    last = result
    return result.groups?.map((group) => group && text.slice(group[0], group[1]))
  }
  return {
    requirement,
    source: undefined,
    test: (text) => search(text) !== undefined,
    lastSearch: () => last,
    find: search,
  }
}

function needsBacktracking(node: PatternNode): boolean {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      return node.items.some(needsBacktracking)
    case 'repeat':
    case 'capture':
      return needsBacktracking(node.item)
    case 'look':
    case 'reference':
      return true
    case 'set':
    case 'assertion':
      return false
  }
}
