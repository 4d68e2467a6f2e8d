// Rules that name lists: checked when they are saved, resolved in decisions, and in the way of deletion.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type Answer, type TestApp } from '../../../testing/app.ts'

const CUSTOM = 'http_request_firewall_custom'
const errorsOf = ({ status, json }: Answer) => [
  status,
  ...json.errors.map(({ code, source }) => [code, source?.pointer]),
]

describe('a rule with a list', () => {
  let app: TestApp
  let account = ''
  let zone = ''
  const lists = new Map<string, string>()
  const put = (phase: string, rules: readonly object[], owner = `zones/${zone}`) =>
    app.call({ method: 'PUT', path: `/${owner}/rulesets/phases/${phase}/entrypoint`, body: { rules } })
  const decide = (url: string, ip = '203.0.113.9') =>
    app.must<{ action: string; response: object | null }>(
      'POST',
      `/zonereeve/zones/${zone}/firewall/decide`,
      { url, ip },
    )
  const setItems = (name: string, body: readonly object[]) =>
    app.must('PUT', `/accounts/${account}/rules/lists/${lists.get(name)}/items`, body)

  beforeAll(async () => {
    app = await startTestApp()
    account = app.accountId
    zone = (
      await app.must('POST', '/zones', {
        name: 'listed.example',
        account: { id: account },
        plan: { legacy_id: 'enterprise' },
      })
    ).id
    for (const [name, kind] of [
      ['office', 'ip'],
      ['hosts', 'hostname'],
      ['moved', 'redirect'],
      ['limits', 'ip'],
    ]) {
      const { id } = await app.must('POST', `/accounts/${account}/rules/lists`, { name, kind })
      lists.set(String(name), id)
    }
    await setItems('office', [{ ip: '192.0.2.0/24' }])
    await setItems('hosts', [{ hostname: { url_hostname: '*.listed.example' } }])
    await setItems('moved', [
      {
        redirect: {
          source_url: 'www.listed.example/old',
          target_url: 'https://new.example/x',
          status_code: 308,
        },
      },
    ])
  })
  afterAll(() => app.close())

  test('that does not exist or has another kind is refused, with its position', async () => {
    const answer = await put(CUSTOM, [
      { action: 'block', expression: 'ip.src in $offices' },
      { action: 'block', expression: 'ip.src in $hosts' },
      { action: 'block', expression: 'http.host in $office' },
    ])
    expect(errorsOf(answer)).toEqual([
      400,
      [20127, '/rules/0/expression'],
      [20127, '/rules/1/expression'],
      [20127, '/rules/2/expression'],
    ])
    expect(answer.json.errors[0]?.message).toContain('          ^^^^^^^^ there is no list $offices')
  })

  test('decides by the items, and follows their changes at once', async () => {
    expect(
      (await put(CUSTOM, [{ action: 'block', expression: 'ip.src in $office and http.host in $hosts' }]))
        .status,
    ).toBe(200)
    expect((await decide('https://www.listed.example/', '192.0.2.9')).action).toBe('block')
    expect((await decide('https://listed.example/', '192.0.2.9')).action).toBe('allow')
    expect((await decide('https://www.listed.example/', '198.51.100.1')).action).toBe('allow')
    await setItems('office', [{ ip: '198.51.100.0/24' }])
    expect((await decide('https://www.listed.example/', '192.0.2.9')).action).toBe('allow')
    expect((await decide('https://www.listed.example/', '198.51.100.1')).action).toBe('block')
    const trace = await app.must<{ new: { action: string; steps: { because: string[] }[] } }>(
      'POST',
      `/zonereeve/zones/${zone}/firewall/trace`,
      { url: 'https://www.listed.example/', ip: '198.51.100.1' },
    )
    expect(trace.new).toMatchObject({ action: 'block' })
    expect(trace.new.steps[0]?.because.join()).toContain('$office')
  })

  test('that a rule, a rate limit, a filter or a redirect names cannot be deleted', async () => {
    const deleteList = (name: string) =>
      app.call({ method: 'DELETE', path: `/accounts/${account}/rules/lists/${lists.get(name)}` })
    const limit = {
      action: 'block',
      expression: 'true',
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 10,
        requests_per_period: 5,
        counting_expression: 'ip.src in $limits and http.response.code eq 401',
      },
    }
    expect(errorsOf(await put('http_ratelimit', [limit]))).toEqual([200])
    const redirect = {
      action: 'redirect',
      expression: 'http.request.full_uri in $moved',
      action_parameters: { from_list: { name: 'moved', key: 'http.request.full_uri' } },
    }
    expect(errorsOf(await put('http_request_redirect', [redirect], `accounts/${account}`))).toEqual([200])
    await app.must('POST', `/zones/${zone}/filters`, [{ expression: 'not ip.src in $office' }])
    for (const name of ['office', 'limits', 'moved'])
      expect(errorsOf(await deleteList(name))).toEqual([400, [10031, undefined]])
    const shown = await app.must('GET', `/accounts/${account}/rules/lists/${lists.get('office')}`)
    expect(shown).toMatchObject({ num_referencing_filters: 2, num_items: 1 })
    expect(errorsOf(await put('http_ratelimit', []))).toEqual([200])
    expect(errorsOf(await deleteList('limits'))).toEqual([200])
  })

  test('of redirects answers with the redirect, after all other phases', async () => {
    expect(await decide('https://www.listed.example/old')).toMatchObject({
      action: 'redirect',
      response: { status_code: 308, location: 'https://new.example/x' },
    })
    expect((await decide('https://www.listed.example/old', '198.51.100.1')).action).toBe('block')
    expect((await decide('https://www.listed.example/older')).action).toBe('allow')
  })

  test('that is no list of redirects is refused in from_list', async () => {
    const from = (name: string) => ({
      action: 'redirect',
      expression: 'true',
      action_parameters: { from_list: { name, key: 'http.request.full_uri' } },
    })
    const answer = await put(
      'http_request_redirect',
      [from('office'), from('unknown')],
      `accounts/${account}`,
    )
    expect(errorsOf(answer)).toEqual([
      400,
      [19535, '/rules/0/action_parameters/from_list/name'],
      [19535, '/rules/1/action_parameters/from_list/name'],
    ])
  })

  test('in a filter must exist, too', async () => {
    const sent = { method: 'POST', path: `/zones/${zone}/filters` }
    const made = await app.call({ ...sent, body: [{ expression: 'ip.src in $unknown' }] })
    expect(errorsOf(made)).toEqual([400, [19701, '/0/expression']])
    const rule = { action: 'bypass', products: ['waf'], filter: { expression: 'ip.src in $unknown' } }
    const withRule = await app.call({ method: 'POST', path: `/zones/${zone}/firewall/rules`, body: [rule] })
    expect(errorsOf(withRule)).toEqual([400, [19701, '/0/filter/expression']])
  })
})
