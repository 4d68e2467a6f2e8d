// The migration commands as typed, against a server: their output, effects and exit codes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand } from '../testing/run-command.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const HARMLESS = '192.0.2.9 - - [05/Jan/2026:10:20:30 +0000] "GET /about HTTP/1.1" 200 12 "-" "Mozilla/5.0"'
const SQL = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`
const ATTACK = `192.0.2.9 - - [05/Jan/2026:10:20:31 +0000] "GET ${SQL} HTTP/1.1" 200 12 "-" "Mozilla/5.0"`

describe('the migration at the prompt', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/client/v4`)
    vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
    zone = (await app.must('POST', '/zones', { name: 'example.com', plan: { legacy_id: 'pro' } })).id
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await app.must('DELETE', `/zones/${zone}`)
  })

  function file(name: string, text: string): string {
    const path = join(scratchFolder(), name)
    writeFileSync(path, text)
    return path
  }

  test('check, config, migrate, status', async () => {
    const checked = await runCommand('waf', 'check', 'example.com', '-o', 'json')
    expect([checked.code, JSON.parse(checked.out)]).toEqual([
      0,
      [{ compatible: true, migration_state: 'start' }],
    ])
    const config = await runCommand('waf', 'config', 'example.com')
    expect(JSON.parse(config.out)).toMatchObject({ name: 'default', rules: [{ action: 'execute' }, {}] })
    const before = await app.changeCount()
    expect((await runCommand('waf', 'migrate', 'example.com', '--dry-run')).code).toBe(0)
    // Rejected because of the plan.
    expect((await runCommand('waf', 'migrate', 'example.com', '--validation', '--yes')).code).toBe(4)
    const unasked = await runCommand('waf', 'migrate', 'example.com')
    expect([unasked.code, unasked.out]).toEqual([1, ''])
    expect(unasked.err).toContain('--yes is needed to replace the managed rules of example.com')
    expect(await app.changeCount()).toBe(before)
    expect((await runCommand('waf', 'migrate', 'example.com', '--yes')).code).toBe(0)
    const status = await runCommand('waf', 'status', 'example.com', '-o', 'json')
    expect(JSON.parse(status.out)).toEqual([
      { migration_state: 'done', old_waf: 'disabled', new_waf: 'enabled' },
    ])
    const again = await runCommand('waf', 'migrate', 'example.com', '--yes')
    expect(again.code).toBe(1)
    expect(again.err).toContain('19582')
  })

  test('check reports why config and migrate are rejected', async () => {
    await app.must('POST', `/zones/${zone}/firewall/rules`, [
      {
        action: 'bypass',
        products: ['waf'],
        filter: { expression: `http.host matches "(?u)${'\\pL'.repeat(30)}"` },
      },
    ])
    const checked = await runCommand('waf', 'check', 'example.com', '-o', 'json')
    expect([checked.code, JSON.parse(checked.out)]).toEqual([
      2,
      [{ compatible: false, migration_state: 'start' }],
    ])
    expect(checked.err).toContain('http.host matches')
    const before = await app.changeCount()
    for (const rest of [['config'], ['migrate', '--yes'], ['migrate', '--dry-run']]) {
      const [verb = '', ...flags] = rest
      const refused = await runCommand('waf', verb, 'example.com', ...flags)
      expect([refused.code, refused.out]).toEqual([1, ''])
      expect(refused.err).toContain('http.host matches')
    }
    expect(await app.changeCount()).toBe(before)
  })

  test('zones delete needs --yes without a terminal', async () => {
    const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'kept.example' })
    for (const given of ['kept.example', id]) {
      const refused = await runCommand('zones', 'delete', given)
      expect([refused.code, refused.out]).toEqual([1, ''])
      expect(refused.err).toContain('--yes is needed to delete kept.example')
    }
    await app.must('GET', `/zones/${id}`)
    const deleted = await runCommand('zones', 'delete', 'kept.example', '--yes', '-o', 'json')
    expect([deleted.code, JSON.parse(deleted.out)]).toEqual([0, [{ id }]])
    expect((await app.call({ method: 'GET', path: `/zones/${id}` })).status).toBe(404)
  })

  test('compare finds no differences if there are none, and changes nothing', async () => {
    const before = await app.changeCount()
    const found = await runCommand(
      'waf',
      'compare',
      'example.com',
      file('access.log', `${HARMLESS}\n\nnonsense\n`),
      '-o',
      'json',
    )
    expect([found.code, JSON.parse(found.out)]).toEqual([0, []])
    expect(found.err).toContain('1 requests compared, 0 differ; 0 for other hosts, 1 not parsed, 0 rejected')
    expect(await app.changeCount()).toBe(before)
  })

  test('compare reports requests that an override let pass, which is not migrated', async () => {
    const trace = await app.must<{ old: { rule_id: string }; new: { action: string } }>(
      'POST',
      `/zonereeve/zones/${zone}/firewall/trace`,
      { url: `https://example.com${SQL}`, planned: true },
    )
    expect(trace.new.action).not.toBe('allow')
    const har = JSON.stringify({
      log: {
        entries: [
          { request: { method: 'GET', url: 'data:text/plain,x' } },
          { request: { method: 'GET', url: `https://other.example${SQL}` } },
          {
            request: {
              method: 'GET',
              url: `https://example.com${SQL}`,
              headers: [
                { name: ':authority', value: 'example.com' },
                { name: 'User-Agent', value: 'Mozilla/5.0' },
              ],
            },
          },
        ],
      },
    })
    for (const path of [file('page.har', har), file('access.log', `${HARMLESS}\n${ATTACK}\n`)]) {
      const same = await runCommand('waf', 'compare', 'example.com', path, '-o', 'json')
      expect([same.code, JSON.parse(same.out)]).toEqual([0, []])
    }
    // Overrides for URLs cannot be migrated.
    await app.must('POST', `/zones/${zone}/firewall/waf/overrides`, {
      urls: ['example.com/*'],
      rules: { [trace.old.rule_id]: 'disable' },
      rewrite_action: { default: 'disable', block: 'disable', challenge: 'disable', simulate: 'disable' },
    })
    const differs = await runCommand(
      'waf',
      'compare',
      'example.com',
      file('b.log', `${HARMLESS}\n${ATTACK}\n`),
      '-o',
      'json',
    )
    expect(differs.code).toBe(2)
    expect(JSON.parse(differs.out)).toMatchObject([
      { place: 2, method: 'GET', url: `https://example.com${SQL}`, new: trace.new.action },
    ])
  })

  test('compare lists what would be stopped by rule, over parts of a large log', async () => {
    // More than one part, so that threads share the file and the numbers of lines go on.
    const filler = Array.from({ length: 9_000 }, () =>
      HARMLESS.replace('/about', `/about?page=${'a'.repeat(60)}`),
    )
    const log = file(
      'large.log',
      [ATTACK, ...filler, ATTACK.replace('/?id', '/shop?id'), 'nonsense'].join('\n'),
    )
    const found = await runCommand('waf', 'compare', 'example.com', log, '--stopped', '-o', 'json')
    expect([found.code, JSON.parse(found.out)]).toEqual([
      0,
      [
        {
          requests: 2,
          before: 2,
          action: 'block',
          rule: expect.any(String),
          description: expect.any(String),
          examples: [`GET https://example.com${SQL}`, `GET https://example.com/shop${SQL.slice(1)}`],
        },
      ],
    ])
    expect(found.err).toContain(
      '9002 requests compared, 0 differ; 0 for other hosts, 1 not parsed, 0 rejected',
    )
    expect(found.err).toContain('2 would be stopped')
    expect(found.err).toContain('100 % 9002 requests')
  })

  test.each([
    ['{"log":{}}', 'not a HAR file'],
    ['{"log":', 'starts like JSON'],
    ['[]', 'no requests to compare: 0 for other hosts, 1 not parsed'],
    ['', 'no requests to compare: 0 for other hosts, 0 not parsed'],
    ['nonsense\n\u0000\u0001\n', 'no requests to compare: 0 for other hosts, 2 not parsed'],
    ['{"log":{"entries":"x"}}', 'not a HAR file'],
    [
      '{"log":{"entries":[null,3,{"request":null},{"request":{"url":5}},{"request":{"url":"https://example.com/","headers":[{"name":5}]}}]}}',
      'no requests to compare: 0 for other hosts, 5 not parsed',
    ],
    [ATTACK.replace('GET /', 'GET https://example.net/'), 'no requests to compare: 1 for other hosts'],
  ])('compare rejects an invalid file: %s', async (text, given) => {
    const { code, out, err } = await runCommand('waf', 'compare', 'example.com', file('x.har', text))
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(given)
  })

  test('compare continues after a request that the server rejects, and names it', async () => {
    const long = HARMLESS.replace('/about', `/${'a'.repeat(40_000)}`)
    const unnamed = HARMLESS.replace('192.0.2.9', '999.1.2.3')
    const log = file('long.log', `${HARMLESS}\n${long}\n${unnamed}\n`)
    const { code, out, err } = await runCommand('waf', 'compare', 'example.com', log, '-o', 'json')
    expect([code, JSON.parse(out)]).toEqual([1, []])
    expect(err).toContain('2 requests compared, 0 differ; 0 for other hosts, 0 not parsed, 1 rejected')
    expect(err).toContain('request 2 of the file')
  })

  test.each(['example.net', 'bad host', '', 'notexample.com'])(
    'compare rejects a host outside the zone: "%s"',
    async (host) => {
      const log = file('one.log', HARMLESS)
      const { code, out, err } = await runCommand('waf', 'compare', 'example.com', log, '--host', host)
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain('--host')
    },
  )
})
