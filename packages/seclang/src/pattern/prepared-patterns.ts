// What is found out about the patterns of a rule set, kept as data with its rules: reading them again at each start takes
// a third of the time of a start.
import type { Bytes } from '../bytes.ts'
import type { RuleSet, SecRule } from '../rules/rule-set.ts'
import { bytesIn, firstBytes } from './first-bytes.ts'
import { compilePattern, type Pattern, patternFrom } from './pattern.ts'
import type { Clause } from './required-literals.ts'

/** Increase it with every change of what is read from a pattern: older data is not used then. */
export const PREPARED_VERSION = 1

export interface PreparedPattern {
  readonly clauses: readonly Clause[]
  readonly masks: readonly number[]
  /** The bytes that a match can begin with, if it is bound to the beginning. */
  readonly firstBytes?: readonly number[]
  /** True if it is bound to the beginning of any line. */
  readonly isOfLine?: true
  /** In the syntax of RE2; absent if that cannot run it. */
  readonly source?: string
}

export interface PreparedPatterns {
  readonly version: number
  /** By pattern as the rules have it. */
  readonly patterns: Readonly<Record<string, PreparedPattern>>
}

/** The same rule set with what its patterns require. Patterns that cannot be read are left out. */
export function prepareRuleSet(ruleSet: RuleSet): RuleSet {
  const patterns = new Map<string, PreparedPattern>()
  const add = ({ operator, chain }: SecRule): void => {
    if (operator?.name === 'rx' && !operator.argument.includes('%{')) {
      const prepared = prepare(operator.argument)
      if (prepared !== undefined) patterns.set(operator.argument, prepared)
    }
    chain.forEach(add)
  }
  for (const item of ruleSet.items) if (item.kind === 'rule') add(item.rule)
  return { ...ruleSet, prepared: { version: PREPARED_VERSION, patterns: Object.fromEntries(patterns) } }
}

function prepare(argument: Bytes): PreparedPattern | undefined {
  try {
    const { requirement, source } = compilePattern(argument)
    const { clauses, masks, beginning } = requirement
    return {
      clauses,
      masks,
      ...(beginning !== undefined && { firstBytes: bytesIn(beginning) }),
      ...(beginning?.isOfLine === true && { isOfLine: true as const }),
      ...(source !== undefined && { source }),
    }
  } catch {
    return undefined // the rule is reported as not run
  }
}

/** A pattern of the rule set. @throws PatternError for one that cannot be read */
export function compilePatternOf({ prepared }: RuleSet, argument: Bytes): Pattern {
  const isKnown = prepared?.version === PREPARED_VERSION && Object.hasOwn(prepared.patterns, argument)
  const known = isKnown ? prepared.patterns[argument] : undefined
  if (known === undefined) return compilePattern(argument)
  const { clauses, masks, isOfLine = false, source } = known
  const beginning = known.firstBytes && firstBytes(known.firstBytes, isOfLine)
  return patternFrom(argument, { clauses, masks, beginning }, source)
}
