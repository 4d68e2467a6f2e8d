// Runs the managed rules over requests that other projects wrote to test their rules, if the shared folder has them:
// attacks are still found, and requests that a rule must not match are not blocked.
import { readFileSync } from 'node:fs'
import { parseIp, utf8 } from '@zonereeve/expr'
import { describe, expect } from 'vitest'
import { MANAGED_RULES } from '../packages/firewall/src/managed-rules/catalogue/registry.ts'
import { findNew, isBlocked } from '../packages/firewall/src/managed-rules/corpus/new-product.cases.ts'
import { detect } from '../packages/firewall/src/managed-rules/detection.ts'
import { inspect } from '../packages/firewall/src/managed-rules/inspected-request.ts'
import { sharedFile } from './requirements.ts'
import { testWith } from './test-requirements.ts'

/** Numbers of positive cases that an enabled rule matches, and of those blocked by default. */
const FOUND_ATTACKS = 650
const REFUSED_ATTACKS = 430
/** Of the attacks of paranoia level 1. */
const LEAST_REFUSED_SHARE = 0.6

interface Case {
  readonly id: string
  /** `status` and `error`: the server must refuse it. */
  readonly kind: 'positive' | 'negative' | 'status' | 'error'
  /** The paranoia level of the rule. */
  readonly pl: number
  readonly method: string
  readonly uri: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Base64. */
  readonly body: string
}

const ADDRESS = parseIp('192.0.2.7')
if (ADDRESS === undefined) throw new Error('the test address is invalid')
const clientIp = ADDRESS

function inspectCase({ method, uri, version, headers, body }: Case) {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
  const facts = {
    method,
    version,
    isTls: true,
    host: utf8(host),
    target: utf8(uri),
    headers: headers.map(([name, value]) => [utf8(name.toLowerCase()), utf8(value)] as const),
    clientIp,
    receivedAtMs: 0,
  }
  return inspect(facts, new Uint8Array(Buffer.from(body, 'base64')))
}

describe("requests from other projects' rule tests", () => {
  testWith('corpus', 'attacks are found, other requests are not blocked', () => {
    const { cases } = JSON.parse(readFileSync(sharedFile('data/crs-cases.json'), 'utf8')) as {
      readonly cases: readonly Case[]
    } // its format
    const enabled = MANAGED_RULES.filter((rule) => rule.enabled)
    const attacks = cases.filter(({ kind }) => kind === 'positive').map(inspectCase)
    const others = cases.filter(({ kind }) => kind === 'negative')
    expect([attacks.length > 800, others.length > 80]).toEqual([true, true])
    expect(others.filter((one) => isBlocked(findNew(inspectCase(one)))).map(({ id }) => id)).toEqual([])
    const found = attacks.filter((one) => enabled.some((rule) => detect(rule, one) !== null))
    expect(found.length).toBeGreaterThanOrEqual(FOUND_ATTACKS)
    const refused = attacks.filter((one) => isBlocked(findNew(one)))
    expect(refused.length).toBeGreaterThanOrEqual(REFUSED_ATTACKS)
    const plain = cases.filter(({ pl, kind }) => pl === 1 && kind !== 'negative')
    const stopped = plain.filter((one) => isBlocked(findNew(inspectCase(one)))).length
    console.info(
      `${stopped} of ${plain.length} attacks of paranoia level 1 are stopped, 0 of ${others.length} other requests`,
    )
    expect(stopped / plain.length).toBeGreaterThanOrEqual(LEAST_REFUSED_SHARE)
  })
})
