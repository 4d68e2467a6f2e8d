// Tables of requests: given state, request, expected response and expected effects. Effects that a row does not
// mention must not happen: no change set, event, message, or added or removed record.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChangeEvent, query } from '@zonereeve/storage'
import { startTestApp, type Answer, type TestApp, type TestAppOptions } from './app.ts'
import { expectConsistent } from './change-log.ts'
import { expectDocumented } from './documented.ts'

export interface Scenario {
  readonly name: string
  /** Records that exist in the zone; `{0}` in the path is the ID of the first. */
  readonly given?: readonly object[]
  /** Calls made before; they must succeed. */
  readonly before?: readonly Send[]
  /** Plan of the zone; default enterprise. */
  readonly plan?: string
  /** False: the zone has no address records except those of `given`, so that writes cause a notice. */
  readonly address?: false
  readonly send: Send
  readonly expect: Expectation
}

export interface Send {
  readonly method: string
  /** Below the base path. `{zone}`, `{account}`, `{user}`, `{0}` are replaced by IDs, also in the body. */
  readonly path: string
  readonly body?: unknown
  /** null removes a default header. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly token?: string | null
  readonly base?: string
  /**
   * For calls made before: `{as}` is replaced by the ID of its result, `{as.0}` by that of the result's first
   * rule.
   */
  readonly as?: string
}

export interface Expectation {
  readonly status: number
  /** Codes of all errors, in order; default none. */
  readonly codes?: readonly number[]
  /** JSON pointers of all errors, in order; null for an error without a pointer. */
  readonly pointers?: readonly (string | null)[]
  /** Codes of all messages. */
  readonly messages?: readonly number[]
  /** Part of the result; for a list, a part of each item. */
  readonly result?: unknown
  /** Part of the counts of a list. */
  readonly info?: object
  /** String in the response body that clients search for. */
  readonly text?: string | RegExp
  /** Media type of a file that is returned instead of the envelope. */
  readonly file?: string
  /** Number of change sets; the serial of the zone increases with changes to its records and settings. */
  readonly changes?: number
  /** Published events: `records -1 +1`, `zone created`. */
  readonly events?: readonly string[]
  /** Change in the number of records. */
  readonly records?: number
}

export interface ScenarioOptions {
  readonly app?: TestAppOptions
  /** Name of the zone; default example.com. */
  readonly zone?: string
}

const ZONE = 'example.com'
const ADDRESS = { type: 'A', name: 'origin', content: '192.0.2.250' }

/** Runs each row against a new zone of a shared app. */
export function scenarios(title: string, rows: readonly Scenario[], options: ScenarioOptions = {}): void {
  describe(title, () => {
    let app: TestApp
    beforeAll(async () => {
      app = await startTestApp(options.app)
    })
    afterAll(async () => {
      await expectConsistent(app.storage)
      await app.close()
    })

    test('the table has rows, each with a name of its own', () => {
      expect(rows.length).toBeGreaterThan(0)
      expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
    })
    test.each(rows.map((row) => [row.name, row] as const))('%s', async (_, row) => {
      await checkScenario(app, row, options.zone ?? ZONE)
    })
  })
}

async function checkScenario(app: TestApp, row: Scenario, zoneName: string): Promise<void> {
  const ids = await seed(app, row, zoneName)
  const before = await stateOf(app, ids.zone)
  app.events.length = 0
  const answer = await app.call({
    ...row.send,
    path: fill(row.send.path, ids),
    ...(row.send.body === undefined ? {} : { body: fillBody(row.send.body, ids) }),
  })
  expectAnswer(answer, row.expect)
  if (answer.status !== 204 && row.expect.file === undefined)
    expectDocumented(row.send.method, fill(row.send.path, ids), answer.status, answer.json)
  const after = await stateOf(app, ids.zone)
  const { changes = 0, events = [], records = 0 } = row.expect
  const serialMoves = new Set(
    app.events.flatMap(({ scopeId, serial }) =>
      scopeId === ids.zone && serial !== null && serial !== before.zone?.serial ? [serial] : [],
    ),
  ).size
  expect({
    changes: after.changes - before.changes,
    events: app.events.flatMap(describeEvent),
    records: after.records - before.records,
    serialMoves: after.zone === undefined ? 0 : after.zone.serial - (before.zone?.serial ?? 0),
  }).toEqual({ changes, events, records, serialMoves: after.zone === undefined ? 0 : serialMoves })
  await expectConsistent(app.storage, ids.zone)
}

interface Ids {
  readonly [placeholder: string]: string
  readonly zone: string
}

interface Named {
  readonly id: string
  readonly rules?: readonly Named[]
}

async function seed(app: TestApp, row: Scenario, zoneName: string): Promise<Ids> {
  for (const { id } of await app.storage.all(query.selectFrom('zones').select('id'))) {
    await app.must('DELETE', `/zones/${id}`)
  }
  const plan = row.plan === undefined ? {} : { plan: { legacy_id: row.plan } }
  const zone = await app.must('POST', '/zones', { name: zoneName, account: { id: app.accountId }, ...plan })
  const ids: Record<string, string> = {}
  const given = row.given ?? []
  for (const [index, record] of given.entries()) {
    ids[String(index)] = (await app.must('POST', `/zones/${zone.id}/dns_records`, record)).id
  }
  if (row.address !== false) await app.must('POST', `/zones/${zone.id}/dns_records`, ADDRESS)
  const all: Record<string, string> & Ids = {
    ...ids,
    zone: zone.id,
    account: app.accountId,
    user: app.userId,
  }
  for (const { method, path, body, as } of row.before ?? []) {
    const sent = body === undefined ? undefined : JSON.parse(fillBody(body, all))
    const result = await app.must<Named | null>(method, fill(path, all), sent)
    if (as === undefined || result === null) continue
    all[as] = result.id
    for (const [index, rule] of (result.rules ?? []).entries()) all[`${as}.${index}`] = rule.id
  }
  return all
}

async function stateOf(app: TestApp, zoneId: string) {
  const zone = await app.storage.first(query.selectFrom('zones').selectAll().where('id', '=', zoneId))
  const count = async (table: 'dns_records' | 'changes') =>
    (await app.storage.first(query.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'))))
      ?.rows ?? 0
  return { zone, records: await count('dns_records'), changes: await count('changes') }
}

const fill = (text: string, ids: Ids): string =>
  text.replace(/\{([a-z\d]+(?:\.\d+)?)\}/g, (whole, name: string) => ids[name] ?? whole)

function fillBody(body: unknown, ids: Ids): string {
  return fill(typeof body === 'string' ? body : JSON.stringify(body), ids)
}

function expectAnswer(answer: Answer, expected: Expectation): void {
  const { codes = [], messages = [] } = expected
  const { json } = answer
  const got = {
    status: answer.status,
    codes: json.errors.map(({ code }) => code),
    messages: json.messages.map(({ code }) => code),
  }
  const expectedAnswer = { status: expected.status, codes, messages }
  // On a mismatch, shows the whole response.
  if (JSON.stringify(got) !== JSON.stringify(expectedAnswer))
    expect(`${JSON.stringify(got)} ${answer.text}`).toEqual(expectedAnswer)
  if (answer.status === 204) expect([answer.text, answer.headers['content-type']]).toEqual(['', undefined])
  else if (expected.file === undefined) expectEnvelope(answer)
  else expect(answer.headers['content-type']).toBe(expected.file)
  if (expected.pointers !== undefined) {
    expect(json.errors.map(({ source }) => source?.pointer ?? null)).toEqual(expected.pointers)
  }
  if (expected.result !== undefined) expect(json.result).toMatchObject(expected.result as object) // an object or an array
  if (expected.info !== undefined) expect(json.result_info).toMatchObject(expected.info)
  if (expected.text !== undefined) expect(answer.text).toMatch(expected.text)
}

const MEMBERS = new Set([
  'result,success,errors,messages',
  'result,success,errors,messages,result_info',
  'result,result_info,success,errors,messages',
  'success,errors,messages,result',
])

/** Compact JSON with exactly the members of an envelope, in one of the orders that clients know. */
export function expectEnvelope({ status, headers, text, json }: Answer): void {
  expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/)
  expect(text).toBe(JSON.stringify(json))
  expect(MEMBERS).toContain(Object.keys(json).join())
  expect(json.success).toBe(status === 200)
  if (json.success) expect(json.errors).toEqual([])
  else expect([json.result, json.errors.length > 0]).toEqual([null, true])
  for (const { code, message } of [...json.errors, ...json.messages]) {
    expect(Number.isInteger(code)).toBe(true)
    expect(message).not.toMatch(/\{\w+\}|undefined|\[object/)
  }
}

const ZONE_EVENTS: Readonly<Record<string, string>> = {
  'zone.create': 'zone created',
  'zone.update': 'zone changed',
  'zone.answers': 'zone stepped',
  'zone.delete': 'zone deleted',
}

/** `zone created`, `records -1 +2`; nothing for events that do not affect answers. */
export function describeEvent(event: ChangeEvent): string[] {
  if (event.topic === 'zone') return event.kinds.flatMap((kind) => ZONE_EVENTS[kind] ?? [])
  if (event.topic === 'settings' || event.topic === 'signing')
    return event.serial === null ? [] : ['zone settings']
  if (event.topic !== 'records') return []
  const signed = (sign: string, list: { readonly length: number } = []) =>
    list.length === 0 ? '' : ` ${sign}${list.length}`
  return [`records${signed('-', event.delta?.removed)}${signed('+', event.delta?.added)}`]
}
