// Rulesets of accounts: differences from those of zones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type Answer, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'

const CUSTOM = 'http_request_firewall_custom'
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const block = { action: 'block', expression: 'true' }
const ENT = 'cf.zone.plan eq "ENT"'
const execute = (id: string, expression: string) => ({
  action: 'execute',
  expression,
  action_parameters: { id },
})

describe('rulesets of an account', () => {
  let app: TestApp
  let path = ''
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  async function newAccount(type = 'enterprise'): Promise<string> {
    const { id } = await app.must('POST', '/accounts', { name: 'of rulesets', type })
    path = `/accounts/${id}/rulesets`
    return id
  }

  async function send(method: string, below: string, body?: unknown): Promise<Answer> {
    const answer = await app.call({ method, path: path + below, ...(body === undefined ? {} : { body }) })
    if (answer.status !== 204) expectDocumented(method, path + below, answer.status, answer.json)
    return answer
  }
  const codes = ({ status, json }: Answer) => [
    status,
    ...json.errors.map(({ code, source }) => [code, source?.pointer]),
  ]

  test('an entry point has the kind root, and belongs to this account only', async () => {
    const first = await newAccount()
    const { json } = await send('PUT', `/phases/${CUSTOM}/entrypoint`, { rules: [block] })
    expect(json.result).toMatchObject({ kind: 'root', phase: CUSTOM, version: '1' })
    const { id } = json.result as { id: string } // of a ruleset
    expect((await send('GET', `/${id}`)).status).toBe(200)
    await newAccount()
    expect(codes(await send('GET', `/${id}`))).toEqual([404, [10001, undefined]])
    expect(codes(await send('DELETE', `/${id}`))).toEqual([404, [10001, undefined]])
    const zone = await app.must('POST', '/zones', { name: 'of-account.example', account: { id: first } })
    const fromZone = await app.call({ method: 'GET', path: `/zones/${zone.id}/rulesets/${id}` })
    expect(fromZone.status).toBe(404)
    expect(
      (await app.changeLog(first)).flatMap(({ serial, ops }) => ops.map(({ kind }) => [kind, serial])),
    ).toEqual([
      ['account.create', null],
      ['ruleset.create', null],
      ['ruleset.rule_create', null],
    ])
  })

  test.each<[name: string, phase: string, rule: object, expected: unknown[]]>([
    ['executes in its enterprise zones', 'http_request_firewall_managed', execute(MANAGED, ENT), [200]],
    [
      'optionally only in some of them',
      'http_request_firewall_managed',
      execute(MANAGED, `cf.zone.name eq "a.example" and ${ENT}`),
      [200],
    ],
    [
      'must say so in the expression',
      'http_request_firewall_managed',
      execute(MANAGED, 'true'),
      [400, [19535, '/rules/0/expression']],
    ],
    [
      'must say so at the end',
      'http_request_firewall_managed',
      execute(MANAGED, `${ENT} and ssl`),
      [400, [19535, '/rules/0/expression']],
    ],
    [
      'must say so for every case',
      'http_request_firewall_managed',
      execute(MANAGED, `ssl or ${ENT}`),
      [400, [19535, '/rules/0/expression']],
    ],
    [
      'must not negate it',
      'http_request_firewall_managed',
      execute(MANAGED, `not ${ENT}`),
      [400, [19535, '/rules/0/expression']],
    ],
    [
      'skips no current phase',
      CUSTOM,
      { action: 'skip', expression: 'true', action_parameters: { phase: 'current' } },
      [400, [19535, '/rules/0/action_parameters/phase']],
    ],
    [
      'has no phases of zones',
      'http_config_settings',
      { action: 'set_config', expression: 'true', action_parameters: { bic: true } },
      [400, [50002, undefined]],
    ],
    ['has no network layer', 'magic_transit', block, [400, [50002, undefined]]],
  ])('%s', async (_, phase, rule, expected) => {
    await newAccount()
    const answer = await send('PUT', `/phases/${phase}/entrypoint`, { rules: [rule] })
    expect(codes(answer)).toEqual(expected)
    expect((await send('GET', `/phases/${phase}/entrypoint`)).status).toBe(answer.status === 200 ? 200 : 404)
  })

  test('accounts that are not enterprise cannot have any', async () => {
    await newAccount('standard')
    expect(codes(await send('PUT', `/phases/${CUSTOM}/entrypoint`, { rules: [] }))).toEqual([
      400,
      [50002, undefined],
    ])
  })

  test('accounts cannot have rulesets of zone kinds', async () => {
    await newAccount()
    const body = { name: 'a', kind: 'zone', phase: CUSTOM }
    expect(codes(await send('POST', '', body))).toEqual([400, [19535, '/kind']])
  })

  test('at most ten custom rulesets of a hundred rules', async () => {
    await newAccount()
    const body = (count: number) => ({
      name: 'a',
      kind: 'custom',
      phase: CUSTOM,
      rules: Array.from({ length: count }, () => block),
    })
    expect(codes(await send('POST', '', body(101)))).toEqual([400, [50001, '/rules']])
    for (let index = 0; index < 10; index += 1) expect((await send('POST', '', body(100))).status).toBe(200)
    expect(codes(await send('POST', '', body(0)))).toEqual([400, [19532, '/kind']])
    // A thousand rules of a phase in total.
    expect(codes(await send('PUT', `/phases/${CUSTOM}/entrypoint`, { rules: [block] }))).toEqual([
      400,
      [50001, '/rules'],
    ])
  })

  test('deleted with the account', async () => {
    const id = await newAccount()
    await send('PUT', `/phases/${CUSTOM}/entrypoint`, { rules: [block] })
    await app.must('DELETE', `/accounts/${id}`)
    expect((await app.call({ method: 'GET', path })).status).not.toBe(200)
  })
})
