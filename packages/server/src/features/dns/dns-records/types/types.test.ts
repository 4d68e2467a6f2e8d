// Sends the case table of every record type to the API. A type without a table does not compile.
import { rdataTextByCode, typeCode } from '@zonereeve/dns'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type Answer, type TestApp } from '../../../../testing/app.ts'
import { expectConsistent } from '../../../../testing/change-log.ts'
import { expectDocumented } from '../../../../testing/documented.ts'
import { describeEvent, expectEnvelope } from '../../../../testing/scenarios.ts'
import { CASES } from './all.cases.ts'
import type { ApiCases } from './cases.ts'
import { opaqueCases } from './opaque.cases.ts'
import { txtVendorCases } from './txt.cases.ts'

const MIN_CASES = 10

interface Shown {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly content: string
  readonly comment: string | null
  readonly [member: string]: unknown
}

type Run = readonly [type: string, profile: 'documented' | 'vendor', cases: ApiCases]
const RUNS: readonly Run[] = [
  ...Object.entries(CASES).map(([type, cases]): Run => [type, 'documented', cases]),
  ['TXT', 'vendor', txtVendorCases],
  ['TYPE65280', 'documented', opaqueCases],
]

describe.each(RUNS)('%s, %s', (type, profile, { name, valid, invalid }) => {
  let app: TestApp
  let path: string
  beforeAll(async () => {
    app = await startTestApp({ profile })
    const zone = await app.must('POST', '/zones', { name: 'example.com' })
    path = `/zones/${zone.id}/dns_records`
  })
  afterAll(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  async function call(method: string, at: string, body?: unknown): Promise<Answer<Shown>> {
    const answer = await app.call<Shown>({ method, path: at, body })
    expectEnvelope(answer)
    expectDocumented(method, at, answer.status, answer.json)
    return answer
  }

  /** Effects on the zone: change sets, and notified events. */
  async function effects<T>(
    work: () => Promise<T>,
  ): Promise<{ result: T; changes: number; events: string[]; served: string[][] }> {
    const before = await app.changeCount()
    app.events.length = 0
    const result = await work()
    const served = app.events.flatMap((event) =>
      event.topic === 'records' && event.delta !== undefined ? [event.delta.removed, event.delta.added] : [],
    )
    return {
      result,
      changes: (await app.changeCount()) - before,
      events: app.events.flatMap(describeEvent),
      served: served.map((records) =>
        Array.from(records, (record) => rdataTextByCode(typeCode(record.type) ?? 0, record.rdata)),
      ),
    }
  }

  test('has enough cases, each with a unique name', () => {
    expect(valid.length).toBeGreaterThanOrEqual(MIN_CASES)
    expect(invalid.length).toBeGreaterThanOrEqual(MIN_CASES)
    for (const cases of [valid, invalid])
      expect(new Set(cases.map(([title]) => title)).size).toBe(cases.length)
  })

  test.each(valid)('accepts %s', async (_, draft, shown, served) => {
    const made = await effects(() => call('POST', path, { type, name, ...draft }))
    const record = made.result.json.result
    expect(made.result.json.errors).toEqual([])
    expect(made).toMatchObject({ changes: 1, events: ['records +1'], served: [[], [served]] })
    expect(record).toMatchObject({ type, ...shown })
    const at = `${path}/${record.id}`

    // Read, listed and found by its content, it is unchanged.
    expect((await call('GET', at)).json.result).toEqual(record)
    expect((await call('GET', path)).json.result).toEqual([record])
    const byContent = `${path}?type=${type}&content=${encodeURIComponent(record.content)}`
    expect((await call('GET', byContent)).json.result).toEqual([record])

    // Sent back as received, or with an empty body, it changes nothing.
    for (const [method, body] of [
      ['PUT', record],
      ['PATCH', {}],
      ['PATCH', record],
    ] as const) {
      const same = await effects(() => call(method, at, body))
      expect([same.result.json.result, same.changes, same.events]).toEqual([record, 0, []])
    }

    // An edit of one member keeps all others, and DNS serves the same.
    const edited = await effects(() => call('PATCH', at, { comment: 'edited' }))
    const after = edited.result.json.result
    expect(edited).toMatchObject({ changes: 1, events: ['records -1 +1'], served: [[served], [served]] })
    expect(after).toEqual({
      ...record,
      comment: 'edited',
      modified_on: after['modified_on'],
      comment_modified_on: after['modified_on'],
    })

    // Sent again, it is rejected as identical.
    const again = await effects(() => call('POST', path, { ...record, type }))
    expect([again.result.json.errors.map(({ code }) => code), again.changes]).toEqual([[81058], 0])

    const gone = await effects(() => call('DELETE', at))
    expect(gone).toMatchObject({ changes: 1, events: ['records -1'], served: [[served], []] })
    expect((await call('GET', path)).json.result).toEqual([])
  })

  test.each(invalid)('rejects %s', async (_, draft, codes, pointers) => {
    const { result, changes, events } = await effects(() => call('POST', path, { type, name, ...draft }))
    const { errors } = result.json
    expect([errors.map(({ code }) => code), errors.map(({ source }) => source?.pointer ?? null)]).toEqual([
      codes,
      pointers,
    ])
    expect([result.status, changes, events]).toEqual([400, 0, []])
    expect((await call('GET', path)).json.result).toEqual([])
  })

  test.each(invalid.filter(([, draft]) => !('name' in draft) && !('type' in draft)))(
    'rejects %s in an overwrite, and keeps the record',
    async (_, draft, codes) => {
      const [first] = valid
      const { id } = (await call('POST', path, { type, name, ...first?.[1] })).json.result
      const before = (await call('GET', `${path}/${id}`)).text
      const { result, changes, events } = await effects(() =>
        call('PUT', `${path}/${id}`, { type, name, ...draft }),
      )
      expect([result.json.errors.map(({ code }) => code), changes, events]).toEqual([codes, 0, []])
      expect((await call('GET', `${path}/${id}`)).text).toBe(before)
      await call('DELETE', `${path}/${id}`)
    },
  )
})
