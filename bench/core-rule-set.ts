// The Core Rule Set of Debian's package, compiled by us.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileRuleSet, evaluateRules, parseRuleSet, prepareRuleSet } from '../packages/seclang/src/index.ts'
import { CORE_RULE_SET } from '../scripts/requirements.ts'
import type { JudgedRequest } from './libmodsecurity.ts'

const SETUP = '/etc/modsecurity/crs/crs-setup.conf'

export interface CoreRules {
  readonly compiled: ReturnType<typeof compileRuleSet>
  /** Rules whose matches are written to the log. */
  readonly logged: ReadonlySet<number>
  readonly variables: Readonly<Record<string, string>>
}

/** The files as an import stores them. */
export function readParsedCoreRules(): ReturnType<typeof parseRuleSet> {
  const names = readdirSync(CORE_RULE_SET).filter((name) => /\.(?:conf|data)$/.test(name))
  const parsed = parseRuleSet([
    ...(existsSync(SETUP) ? [{ name: 'crs-setup.conf', text: readFileSync(SETUP, 'latin1') }] : []),
    ...names.toSorted().map((name) => ({ name, text: readFileSync(join(CORE_RULE_SET, name), 'latin1') })),
  ])
  return prepareRuleSet(parsed)
}

/** @param level the paranoia level */
export function readCoreRules(level: number): CoreRules {
  const parsed = readParsedCoreRules()
  const logged = parsed.items.flatMap((item) =>
    item.kind === 'rule' && !item.rule.actions.some(({ name }) => name === 'nolog') ? [item.rule.id] : [],
  )
  return {
    compiled: compileRuleSet(parsed),
    logged: new Set(logged),
    variables: {
      crs_setup_version: '334',
      paranoia_level: String(level),
      executing_paranoia_level: String(level),
    },
  }
}

/** Numbers of the rules that match and are logged, with requests read as ModSecurity 3 does. */
export function judgeByUs(
  { compiled, logged, variables }: CoreRules,
  request: JudgedRequest,
): ReadonlySet<number> {
  const { matches } = evaluateRules(
    compiled,
    { ...request, remoteAddress: '192.0.2.7' },
    { variables, dialect: 3 },
  )
  return new Set(matches.flatMap(({ id }) => (logged.has(id) ? [id] : [])))
}
