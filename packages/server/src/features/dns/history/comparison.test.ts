// The records of a zone after two change sets, and what differs.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WireStateDiff } from '@zonereeve/contract'
import { runAtOnce } from '@zonereeve/cooperate'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { differencesOf, type Target } from './history.rules.ts'
import { createHistory } from './history.service.ts'

interface Shown {
  readonly ops: readonly object[]
}

interface RecordText {
  readonly id: string
  readonly content: string
}

let app: TestApp
let zone: string
// Some cases damage the log.
beforeEach(async () => {
  app = await startTestApp()
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
})
afterEach(() => app.close())

const history = () => `/zonereeve/zones/${zone}`
const add = (name: string, content = '192.0.2.1') =>
  app.must<RecordText>('POST', `/zones/${zone}/dns_records`, { type: 'A', name, content })

describe('GET diff', () => {
  const diff = async (query: string) => {
    const { status, json } = await app.call<WireStateDiff>({
      method: 'GET',
      path: `${history()}/diff?${query}`,
    })
    return { status, code: json.errors[0]?.code, result: json.result }
  }
  const contents = ({ records }: WireStateDiff) =>
    records.map(({ before, after }) => [
      (before as RecordText | null)?.content,
      (after as RecordText | null)?.content,
    ])

  test('records that were added, changed and deleted in between, and how often anything else changed', async () => {
    const edited = await add('edited')
    const deleted = await add('deleted', '192.0.2.3')
    await add('unchanged')
    await app.must('PATCH', `/zones/${zone}/dns_records/${edited.id}`, { content: '192.0.2.2' })
    await app.must('PATCH', `/zones/${zone}/dns_records/${edited.id}`, { content: '192.0.2.9' })
    await app.must('DELETE', `/zones/${zone}/dns_records/${deleted.id}`)
    await app.must('PATCH', `/zones/${zone}/dns_settings`, { ns_ttl: 3600 })
    await add('later', '192.0.2.4')
    const { result } = await diff('from=4&to=9')
    expect(contents(result).toSorted()).toEqual([
      [undefined, '192.0.2.4'],
      ['192.0.2.1', '192.0.2.9'],
      ['192.0.2.3', undefined],
    ])
    expect(result).toMatchObject({
      from: { number: 4, serial: expect.any(Number) },
      to: { number: 9, serial: expect.any(Number) },
      others: [{ kind: 'dns_settings.update', operations: 1 }],
    })
    const back = await diff('from=9&to=4')
    expect(contents(back.result).toSorted()).toEqual([
      [undefined, '192.0.2.3'],
      ['192.0.2.4', undefined],
      ['192.0.2.9', '192.0.2.1'],
    ])
  })

  test('a record that changed and changed back, or came and went, does not differ', async () => {
    const { id } = await add('a')
    await app.must('PATCH', `/zones/${zone}/dns_records/${id}`, { content: '192.0.2.2' })
    await app.must('PATCH', `/zones/${zone}/dns_records/${id}`, { content: '192.0.2.1' })
    const passing = await add('b')
    await app.must('DELETE', `/zones/${zone}/dns_records/${passing.id}`)
    expect((await diff('from=2&to=6')).result.records).toEqual([])
    expect((await diff('from=2&to=2')).result).toMatchObject({ records: [], others: [] })
  })

  test.each([
    ['an unknown number', 'from=1&to=99', 404, 19604],
    ['an unknown earlier number', 'from=99&to=1', 404, 19604],
    ['no second number', 'from=1', 400, 6008],
    ['a value that is not a number', 'from=1&to=x', 400, 6008],
    ['a number sent twice', 'from=1&from=1&to=1', 400, 6008],
  ])('refuses %s', async (_, query, status, code) =>
    expect(await diff(query)).toMatchObject({ status, code }),
  )

  const compare = (
    from: number,
    to: number,
    maxComparedOps?: number,
    signal = new AbortController().signal,
  ) =>
    createHistory({
      storage: app.storage,
      records: app.records,
      ...(maxComparedOps === undefined ? {} : { maxComparedOps }),
    }).compare(zone, from, to, signal)

  test('refuses more operations in between than the limit, in both directions', async () => {
    for (const name of ['a', 'b', 'c']) await add(name)
    expect((await compare(1, 4, 3)).records).toHaveLength(3)
    const refusal = { issues: [{ reason: 'change.range', values: { limit: 2, older: 1, newer: 4 } }] }
    await expect(compare(1, 4, 2)).rejects.toMatchObject(refusal)
    await expect(compare(4, 1, 2)).rejects.toMatchObject(refusal)
    expect((await compare(2, 4, 2)).records).toHaveLength(2)
  })

  test('ends when the client has left', async () => {
    await add('a')
    await expect(compare(1, 2, undefined, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  })

  test('a change set that is missing in between is damage, not deleted history', async () => {
    for (const name of ['a', 'b', 'c']) await add(name)
    await app.storage.write((tx) =>
      tx.run(query.deleteFrom('changes').where('scope_id', '=', zone).where('number', '=', 3)),
    )
    for (const [from, to] of [
      [1, 4],
      [4, 1],
      [3, 4],
    ] as const)
      await expect(compare(from, to)).rejects.toThrow('is not in the log')
  })

  describe('a damaged record that was repaired', () => {
    /** As change set 3, or 4 after another record. */
    async function repair(content: string): Promise<void> {
      const { id } = await add('a')
      await add('between')
      const rows = query.updateTable('dns_records').set({ stored_body: '{}' })
      await app.storage.write((tx) => tx.run(rows.where('id', '=', id)))
      await app.must('PUT', `/zones/${zone}/dns_records/${id}`, { type: 'A', name: 'a', content })
      const { ops } = await app.must<Shown>('GET', `${history()}/changes/4`)
      expect(ops).toMatchObject([{ before: { damaged: true } }])
    }

    test.each([
      ['the one of the history, if it changed', '192.0.2.2', 'from=3&to=4', [['192.0.2.1', '192.0.2.2']]],
      ['the same backward', '192.0.2.2', 'from=4&to=3', [['192.0.2.2', '192.0.2.1']]],
      ['none, if the repair brought it back', '192.0.2.1', 'from=3&to=4', []],
    ])('has as its earlier state %s', async (_, content, query, expected) => {
      await repair(content)
      const { result } = await diff(query)
      expect(contents(result)).toEqual(expected)
      expect(JSON.stringify(result)).not.toContain('damaged')
    })

    test('is shown as damaged if the history does not have it', async () => {
      await repair('192.0.2.2')
      const created = query.selectFrom('changes').select('position').where('scope_id', '=', zone)
      await app.storage.write((tx) =>
        tx.run(query.deleteFrom('change_ops').where('position', 'in', created.where('number', '=', 2))),
      )
      expect((await diff('from=3&to=4')).result.records).toMatchObject([{ before: { damaged: true } }])
    })
  })
})

describe('what differs', () => {
  const state = (members: object) => JSON.stringify({ id: 'a', ...members })
  const TIMES = { modified_on: '2026-01-01T00:00:00Z', comment_modified_on: null }
  const LATER = { modified_on: '2026-01-02T00:00:00Z', comment_modified_on: '2026-01-02T00:00:00Z' }
  const QUOTED = 'x","modified_on":"2026-01-0'

  test.each([
    ['only the times', state({ ttl: 1, ...TIMES }), state({ ttl: 1, ...LATER }), false],
    ['times that are absent', state({ ttl: 1 }), state({ ttl: 1, ...LATER, tags_modified_on: null }), false],
    ['a value', state({ ttl: 1, ...TIMES }), state({ ttl: 2, ...TIMES }), true],
    [
      'a comment that looks like a time',
      state({ comment: `${QUOTED}1"`, ...TIMES }),
      state({ comment: `${QUOTED}2"`, ...TIMES }),
      true,
    ],
    ['that it exists', null, state({ ttl: 1 }), true],
  ])('%s', (_, text, undone, isDifferent) => {
    const targets = new Map<string, Target>([['a', { id: 'a', text, undone }]])
    const before = { id: 'a', before: text, after: undone }
    expect(runAtOnce(differencesOf(targets, new Map(), false))).toEqual(isDifferent ? [before] : [])
    const back = { id: 'a', before: undone, after: text }
    expect(runAtOnce(differencesOf(targets, new Map(), true))).toEqual(isDifferent ? [back] : [])
  })

  test('other work may run after each record', () => {
    const targets = new Map(['a', 'b', 'c'].map((id) => [id, { id, text: null, undone: '{}' }]))
    expect([...differencesOf(targets, new Map(), false)]).toHaveLength(3)
  })
})
