// Common to all writes of rulesets: change sets, dry runs, concurrent writers, pages, permissions.
import { PERMISSION_GROUPS } from '@zonereeve/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

interface Ruleset {
  readonly id: string
  readonly version: string
  readonly rules: readonly { readonly id: string; readonly version: string; readonly expression: string }[]
}

const CUSTOM = 'http_request_firewall_custom'
const block = (path: string, more: object = {}) => ({
  action: 'block',
  expression: `http.request.uri.path eq "${path}"`,
  ...more,
})

describe('writes of rulesets', () => {
  let app: TestApp
  let names = 0
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  async function newZone(): Promise<{ id: string; all: string; entry: string }> {
    const { id } = await app.must('POST', '/zones', { name: `z${(names += 1)}.example` })
    const all = `/zones/${id}/rulesets`
    return { id, all, entry: `${all}/phases/${CUSTOM}/entrypoint` }
  }

  test('are change sets of the zone that keep its serial, and name each rule', async () => {
    const { id, all, entry } = await newZone()
    const { serial } =
      (await app.storage.first(query.selectFrom('zones').select('serial').where('id', '=', id))) ?? {}
    const made = await app.must<Ruleset>('PUT', entry, { rules: [block('/a'), block('/b')] })
    const [a, b] = made.rules
    await app.must('PUT', entry, {
      rules: [block('/b', { id: b?.id }), block('/c', { id: a?.id }), block('/d')],
    })
    await app.must('DELETE', `${all}/${made.id}/rules/${b?.id}`)
    await app.must('DELETE', `${all}/${made.id}/versions/1`)
    await app.must('DELETE', `${all}/${made.id}`)
    const sets = (await app.changeLog(id)).slice(1)
    expect(sets.map(({ ops }) => ops.map(({ kind }) => kind))).toEqual([
      ['ruleset.create', 'ruleset.rule_create', 'ruleset.rule_create'],
      ['ruleset.update', 'ruleset.rule_update', 'ruleset.rule_create', 'ruleset.reorder'],
      ['ruleset.update', 'ruleset.rule_delete'],
      ['ruleset.version_delete'],
      ['ruleset.delete'],
    ])
    expect(sets.map((set) => set.serial)).toEqual([null, null, null, null, null])
    const after = await app.storage.first(query.selectFrom('zones').select('serial').where('id', '=', id))
    expect(after?.serial).toBe(serial)
    for (const { ops } of sets)
      for (const { before, after: now } of ops)
        expect(
          [before, now].filter((text) => text !== null).map((text) => typeof JSON.parse(text ?? '')),
        ).not.toContain('undefined')
  })

  test('cannot be reverted on their own, and are rejected by name', async () => {
    const { id, entry } = await newZone()
    await app.must('PUT', entry, { rules: [] })
    const answer = await app.call({ method: 'POST', path: `/zonereeve/zones/${id}/changes/2/revert` })
    expect([answer.status, answer.json.errors[0]?.message]).toEqual([
      400,
      expect.stringContaining('ruleset.create'),
    ])
  })

  test('deleted with the zone, in the change set of its deletion', async () => {
    const { id, all, entry } = await newZone()
    const rowCounts = () =>
      Promise.all(
        (['rulesets', 'ruleset_versions', 'ruleset_rules'] as const).map(
          async (table) => (await app.storage.all(query.selectFrom(table).selectAll())).length,
        ),
      )
    const before = await rowCounts()
    await app.must('PUT', entry, { rules: [block('/a')] })
    await app.must('POST', all, { name: 'mine', kind: 'custom', phase: CUSTOM })
    expect(await rowCounts()).not.toEqual(before)
    await app.must('DELETE', `/zones/${id}`)
    const ops = (await app.changeLog(id)).at(-1)?.ops ?? []
    expect(ops.filter(({ kind }) => kind === 'ruleset.delete')).toHaveLength(2)
    expect(await rowCounts()).toEqual(before)
  })

  test('a dry run checks everything, publishes no events, and stores nothing', async () => {
    const { all, entry } = await newZone()
    const made = await app.must<Ruleset>('PUT', entry, { rules: [block('/a')] })
    const rule = made.rules[0]?.id
    const before = await app.changeCount()
    const sent = [
      ['PUT', entry, { rules: [] }, 200],
      ['POST', all, { name: 'mine', kind: 'custom', phase: CUSTOM }, 200],
      ['POST', `${all}/${made.id}/rules`, block('/b'), 200],
      ['PATCH', `${all}/${made.id}/rules/${rule}`, block('/b'), 200],
      ['DELETE', `${all}/${made.id}/rules/${rule}`, undefined, 200],
      ['DELETE', `${all}/${made.id}`, undefined, 200],
      ['PUT', entry, { rules: [block('/a'), { action: 'block' }] }, 400],
      ['POST', all, { name: 'second', kind: 'zone', phase: CUSTOM }, 400],
      ['DELETE', `${all}/${made.id}/versions/1`, undefined, 400],
    ] as const
    for (const [method, path, body, status] of sent) {
      const answer = await app.call({
        method,
        path: `${path}?dry_run=true`,
        ...(body === undefined ? {} : { body }),
      })
      expect([method, path, answer.status, answer.json.result]).toEqual([method, path, status, null])
    }
    for (const asked of ['1', '0', 'yes', '']) {
      const answer = await app.call({ method: 'PUT', path: `${entry}?dry_run=${asked}`, body: { rules: [] } })
      expect([asked, answer.status]).toEqual([asked, 400])
    }
    expect(await app.changeCount()).toBe(before)
    expect(await app.must('GET', entry)).toEqual(made)
    expect(
      (await app.call({ method: 'PUT', path: `${entry}?dry_run=false`, body: { rules: [] } })).status,
    ).toBe(200)
  })

  test('concurrent writers each create a version, without gaps, and lose nothing', async () => {
    const { all, entry } = await newZone()
    const { id } = await app.must<Ruleset>('PUT', entry, { rules: [] })
    const paths = Array.from({ length: 40 }, (_, index) => `/${index}`)
    const replies = await Promise.all(
      paths.map((path) => app.must<Ruleset>('POST', `${all}/${id}/rules`, block(path))),
    )
    expect(replies.map(({ version }) => Number(version)).toSorted((a, b) => a - b)).toEqual(
      paths.map((_, index) => index + 2),
    )
    const { rules } = await app.must<Ruleset>('GET', entry)
    expect(rules.map(({ expression }) => expression).toSorted()).toEqual(
      paths.map((path) => block(path).expression).toSorted(),
    )
    const versions = await app.must<Ruleset[]>('GET', `${all}/${id}/versions`)
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: 41 }, (_, index) => String(index + 1)),
    )
  })

  test('of two concurrent writes for the last place, one is rejected', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'quota.example', plan: { legacy_id: 'free' } })
    const entry = `/zones/${id}/rulesets/phases/${CUSTOM}/entrypoint`
    const made = await app.must<Ruleset>('PUT', entry, {
      rules: ['/1', '/2', '/3', '/4'].map((path) => block(path)),
    })
    const add = (path: string) =>
      app.call({ method: 'POST', path: `/zones/${id}/rulesets/${made.id}/rules`, body: block(path) })
    const replies = await Promise.all([add('/5'), add('/6')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('lists are paged by cursors', async () => {
    const { all } = await newZone()
    const ids: string[] = []
    for (const phase of ['http_ratelimit', CUSTOM, 'http_config_settings'])
      ids.push((await app.must('PUT', `${all}/phases/${phase}/entrypoint`, {})).id)
    const seen: string[] = []
    let after = ''
    for (let pages = 0; pages < 10; pages += 1) {
      const { json } = await app.call<{ id: string }[]>({ method: 'GET', path: `${all}?per_page=2${after}` })
      seen.push(...json.result.map(({ id }) => id))
      const info = json.result_info as { readonly cursors?: { readonly after: string } } | undefined // lists with cursors have it
      if (info?.cursors === undefined) break
      after = `&cursor=${info.cursors.after}`
    }
    expect(seen.slice(-3)).toEqual(ids)
    expect(new Set(seen).size).toBe(seen.length)
    for (const wrong of [
      'cursor=x',
      'cursor=',
      'per_page=0',
      'per_page=51',
      'per_page=x',
      `cursor=${btoa('after x')}`,
    ]) {
      expect([wrong, (await app.call({ method: 'GET', path: `${all}?${wrong}` })).status]).toEqual([
        wrong,
        400,
      ])
    }
  })

  test.each([
    ['GET', 'Zone WAF Read', 200],
    ['GET', 'Zone WAF Write', 200],
    ['GET', 'Zone Settings Write', 403],
    ['PUT', 'Zone WAF Write', 200],
    ['PUT', 'Zone WAF Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const { id, entry } = await newZone()
    await app.must('PUT', entry, {})
    const policy = {
      effect: 'allow',
      resources: { [`com.cloudflare.api.account.zone.${id}`]: '*' },
      permission_groups: [{ id: PERMISSION_GROUPS.find(({ name }) => name === group)?.id }],
    }
    const token = await app.must<{ value: string }>('POST', '/user/tokens', {
      name: group,
      policies: [policy],
    })
    const body = method === 'PUT' ? { body: { rules: [] } } : {}
    expect((await app.call({ method, path: entry, token: token.value, ...body })).status).toBe(status)
  })

  test('a body above the default limit is accepted, but not an unlimited one', async () => {
    const { entry } = await newZone()
    const rule = block('/', { description: 'a'.repeat(3_000) })
    const put = (count: number) =>
      app.call({ method: 'PUT', path: entry, body: { rules: Array.from({ length: count }, () => rule) } })
    expect((await put(900)).status).toBe(200)
    expect((await put(3_000)).status).toBe(413)
  })
})
