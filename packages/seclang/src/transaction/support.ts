// Which rules run, which run in part, and which do not, each with its reason.
import type { Pattern } from '../pattern/pattern.ts'
import { compilePatternOf } from '../pattern/prepared-patterns.ts'
import type { RuleSet, SecRule, Target } from '../rules/rule-set.ts'
import { transformNamed } from '../transforms/registry.ts'
import { isMessageCollection, XML_PATHS } from './collections.ts'
import { comparisonNamed } from './operators.ts'

export interface RuleSupport {
  readonly id: number
  readonly file: string
  readonly line: number
  readonly level: 'run' | 'partly' | 'not-run'
  /** What is ignored, or why the rule does not run; empty for `run`. */
  readonly reasons: readonly string[]
}

export interface SupportOptions {
  /** True if rules are evaluated with a response, too. */
  readonly hasResponse: boolean
}

/** Says of each rule whether it runs, in the order of the files. */
export function describeSupport(ruleSet: RuleSet, { hasResponse }: SupportOptions): readonly RuleSupport[] {
  return ruleSet.items.flatMap((item) => {
    if (item.kind !== 'rule') return []
    const { rule } = item
    const { obstacles: found, remarks } = examine(rule, ruleSet)
    const obstacles =
      !hasResponse && isOfResponse(rule)
        ? [...found, `it inspects the response (phase ${rule.phase}), and only requests are inspected`]
        : found
    const level = obstacles.length > 0 ? 'not-run' : remarks.length > 0 ? 'partly' : 'run'
    const reasons = [...new Set(obstacles.length > 0 ? obstacles : remarks)]
    return [{ id: rule.id, file: rule.file, line: rule.line, level, reasons }]
  })
}

/** Whether a rule runs, whole or partly. */
export const isRunnable = (rule: SecRule, ruleSet: RuleSet): boolean =>
  examine(rule, ruleSet).obstacles.length === 0

const isOfResponse = ({ phase }: SecRule): boolean => phase === 3 || phase === 4

interface Findings {
  readonly obstacles: readonly string[]
  readonly remarks: readonly string[]
}

/** Collections that the run of the rules itself fills. */
const RUN_COLLECTIONS = new Set([
  'TX',
  'MATCHED_VAR',
  'MATCHED_VARS',
  'MATCHED_VAR_NAME',
  'MATCHED_VARS_NAMES',
  'UNIQUE_ID',
])
/** Collections that are kept between requests, which this interpreter does not do. */
const STORED = new Set(['IP', 'GLOBAL', 'SESSION', 'USER', 'RESOURCE'])
const PATTERN_OPERATORS = new Set([
  'rx',
  'pm',
  'pmf',
  'pmfromfile',
  'ipmatch',
  'ipmatchf',
  'ipmatchfromfile',
  'validatebyterange',
])
const LIST_OPERATORS = new Set(['pmf', 'pmfromfile', 'ipmatchf', 'ipmatchfromfile'])
const NEEDS: Readonly<Record<string, string>> = {
  detectsqli: 'libinjection (@detectSQLi)',
  detectxss: 'libinjection (@detectXSS)',
  geolookup: 'a database of places (@geoLookup)',
  rbl: 'queries to block lists (@rbl)',
}
/** `ctl` settings that are carried out, or that concern logs alone. */
const KNOWN_CTL =
  /^(?:forceRequestBodyVariable|requestBodyProcessor|ruleEngine|ruleRemoveById|ruleRemoveByTag|ruleRemoveTargetById|ruleRemoveTargetByTag|audit\w+|debugLogLevel)=/i

/** What is known of a rule set. Several callers ask for the same. */
interface Examined {
  readonly findings: Map<SecRule, Findings>
  /** By source. */
  readonly patterns: Map<string, Pattern>
}

const examined = new WeakMap<RuleSet, Examined>()

function examinedOf(ruleSet: RuleSet): Examined {
  let known = examined.get(ruleSet)
  if (known === undefined) {
    known = { findings: new Map(), patterns: new Map() }
    examined.set(ruleSet, known)
  }
  return known
}

/** A pattern of the rule set, compiled once. @throws PatternError for one that cannot be read */
export function patternIn(ruleSet: RuleSet, source: string): Pattern {
  const { patterns } = examinedOf(ruleSet)
  let pattern = patterns.get(source)
  if (pattern === undefined) {
    pattern = compilePatternOf(ruleSet, source)
    patterns.set(source, pattern)
  }
  return pattern
}

function examine(rule: SecRule, ruleSet: RuleSet): Findings {
  const { findings } = examinedOf(ruleSet)
  let found = findings.get(rule)
  if (found === undefined) {
    found = examineNew(rule, ruleSet)
    findings.set(rule, found)
  }
  return found
}

function examineNew(rule: SecRule, ruleSet: RuleSet): Findings {
  const obstacles: string[] = []
  const remarks: string[] = []
  if (rule.phase === 5) obstacles.push('it concerns logs (phase 5)')
  for (const link of [rule, ...rule.chain]) {
    examineTargets(link, obstacles, remarks)
    examineOperator(link, ruleSet, obstacles, remarks)
    for (const name of link.transforms) {
      if (transformNamed(name) === undefined) obstacles.push(`the transformation ${name} is not known`)
    }
    for (const { name, value = '' } of link.actions) {
      if (name === 'ctl' && !KNOWN_CTL.test(value)) remarks.push(`ctl:${value} is ignored`)
      if (name === 'initcol' || name === 'expirevar' || name === 'deprecatevar')
        remarks.push(`${name} is ignored`)
      if (name === 'exec') remarks.push('exec is ignored')
      const stored = name === 'setvar' ? /^!?(\w+)\./.exec(value)?.[1]?.toUpperCase() : undefined
      if (stored !== undefined && STORED.has(stored)) remarks.push(`setvar of ${stored} is ignored`)
    }
  }
  return { obstacles, remarks }
}

function examineTargets({ targets }: SecRule, obstacles: string[], remarks: string[]): void {
  const included = targets.filter(({ isExcluded }) => isExcluded !== true)
  const unknown = included.filter((target) => !isReadable(target))
  const reasons = unknown.map(({ collection, selector }) =>
    STORED.has(collection)
      ? `${collection} is not kept between requests`
      : `${collection}${selector === undefined ? '' : `:${selector}`} cannot be read`,
  )
  if (unknown.length > 0 && unknown.length === included.length) obstacles.push(...reasons)
  else remarks.push(...reasons)
}

function isReadable({ collection, selector }: Target): boolean {
  if (collection === 'XML') return selector !== undefined && XML_PATHS.has(selector)
  return isMessageCollection(collection) || RUN_COLLECTIONS.has(collection)
}

function examineOperator(
  { operator }: SecRule,
  ruleSet: RuleSet,
  obstacles: string[],
  remarks: string[],
): void {
  if (operator === undefined) return
  const { name, argument } = operator
  if (!PATTERN_OPERATORS.has(name) && comparisonNamed(name) === undefined) {
    obstacles.push(`it needs ${NEEDS[name] ?? `the operator @${name}`}`)
  }
  if (LIST_OPERATORS.has(name)) {
    for (const file of argument.split(/\s+/)) {
      const base = file.replace(/^.*\//, '')
      if (!Object.hasOwn(ruleSet.lists, base)) obstacles.push(`the list ${base} is missing`)
    }
  }
  if (name !== 'rx' || argument.includes('%{')) return
  try {
    patternIn(ruleSet, argument)
    if (/[*+?}]\+|\(\?>/.test(argument.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/g, 'x'))) {
      remarks.push('possessive parts of its pattern are read as greedy ones')
    }
  } catch (error) {
    obstacles.push(`its pattern cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
