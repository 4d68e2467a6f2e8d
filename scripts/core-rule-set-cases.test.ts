// Runs Debian's Core Rule Set in our interpreter over that project's own test requests, if the shared folder has them:
// rule by rule, what must match does, and what must not does not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8 } from '@zonereeve/expr'
import { describe, expect } from 'vitest'
import { compileRuleSet, evaluateRules, parseRuleSet } from '../packages/seclang/src/index.ts'
import { CORE_RULE_SET, sharedFile } from './requirements.ts'
import { testWith } from './test-requirements.ts'

/** Rules that must match, and rules that must not. */
type Lists = Readonly<Record<'expect' | 'refuse', readonly number[]>>

interface Case extends Lists {
  readonly id: string
  readonly method: string
  readonly uri: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Base64. */
  readonly body: string
}

const LEAST_SHARE = 0.97
/** What Debian sets in /etc/modsecurity/crs/crs-setup.conf, at paranoia level 4. */
const VARIABLES = { crs_setup_version: '334', paranoia_level: '4', executing_paranoia_level: '4' }

/** Nothing as long as the list is short enough, otherwise the list itself. */
const beyond = (list: readonly string[], count: number): readonly string[] =>
  list.length > count * (1 - LEAST_SHARE) ? list : []

function readRules(): ReturnType<typeof compileRuleSet> {
  const names = readdirSync(CORE_RULE_SET).filter((name) => /\.(?:conf|data)$/.test(name))
  return compileRuleSet(
    parseRuleSet(
      names.toSorted().map((name) => ({ name, text: readFileSync(join(CORE_RULE_SET, name), 'latin1') })),
    ),
  )
}

describe('the Core Rule Set over its own test requests', () => {
  testWith(['corpus', 'modsecurity-crs'], '97 % match as they must', () => {
    const rules = readRules()
    const { cases } = JSON.parse(readFileSync(sharedFile('data/crs-cases.json'), 'utf8')) as {
      readonly cases: readonly Case[]
    } // its format
    const missed: string[] = []
    const excess: string[] = []
    for (const one of cases) {
      const request = {
        method: one.method,
        target: utf8(one.uri),
        version: one.version,
        headers: one.headers.map(([name, value]) => [utf8(name), utf8(value)] as const),
        body: Buffer.from(one.body, 'base64').toString('latin1'),
        remoteAddress: '192.0.2.7',
      }
      const ids = new Set(evaluateRules(rules, request, { variables: VARIABLES }).matches.map(({ id }) => id))
      missed.push(...one.expect.filter((id) => !ids.has(id)).map((id) => `${one.id} ${id}`))
      excess.push(...one.refuse.filter((id) => ids.has(id)).map((id) => `${one.id} ${id}`))
    }
    const all = (member: 'expect' | 'refuse'): number =>
      cases.reduce((sum, one) => sum + one[member].length, 0)
    expect([all('expect') > 800, all('refuse') > 80]).toEqual([true, true])
    console.info(
      `${all('expect') - missed.length} of ${all('expect')} rules match as they must, ${all('refuse') - excess.length} of ${all('refuse')} do not match as they must not`,
    )
    expect(beyond(missed, all('expect'))).toEqual([])
    expect(beyond(excess, all('refuse'))).toEqual([])
  })
})
