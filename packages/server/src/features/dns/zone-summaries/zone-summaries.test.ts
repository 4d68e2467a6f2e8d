import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

interface Summary {
  readonly id: string
  readonly serial: number
  readonly records: number
  readonly dnssec: string
  readonly changed_on: string | null
}

let app: TestApp
let ids: readonly string[]
beforeAll(async () => {
  app = await startTestApp()
  const [account] = await app.must<{ id: string }[]>('GET', '/accounts')
  const made = []
  for (const name of ['one.example', 'two.example'])
    made.push((await app.must<{ id: string }>('POST', '/zones', { name, account })).id)
  ids = made
})
afterAll(() => app.close())

const path = (asked: readonly string[]) => `/zonereeve/zone_summaries?ids=${asked.join(',')}`

test('the serial, number of records, DNSSEC and last change of each zone, in the order of the ids', async () => {
  const [one = '', two = ''] = ids
  const before = await app.must<Summary[]>('GET', path([one, two]))
  expect(before.map(({ id, records, dnssec }) => ({ id, records, dnssec }))).toEqual([
    { id: one, records: 0, dnssec: 'disabled' },
    { id: two, records: 0, dnssec: 'disabled' },
  ])
  await app.must('POST', `/zones/${two}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1' })
  await app.must('PATCH', `/zones/${two}/dnssec`, { status: 'active' })
  const after = await app.must<Summary[]>('GET', path([two, one]))
  expect(after).toMatchObject([{ id: two, records: 1, dnssec: 'pending' }, before[0]])
  expect(Number(after[0]?.serial)).toBeGreaterThan(Number(before[1]?.serial))
  const [newest] = await app.must<{ at: string }[]>('GET', `/zonereeve/zones/${two}/changes?per_page=1`)
  expect(after[0]?.changed_on).toBe(newest?.at)
})

test('unknown zones are left out', async () => {
  const [one = ''] = ids
  const found = await app.must<Summary[]>('GET', path(['0'.repeat(32), one]))
  expect(found.map(({ id }) => id)).toEqual([one])
})

test('zones that the caller may not read are left out', async () => {
  const [one = '', two = ''] = ids
  const token = await makeToken(app, [allow(['DNS Read'], `account.zone.${one}`)])
  const { json } = await app.call<Summary[]>({ method: 'GET', path: path([two, one]), token })
  expect(json.result?.map(({ id }) => id)).toEqual([one])
})

test.each([
  ['none', ''],
  ['not an id', 'x'],
  ['too many', Array.from({ length: 101 }, () => '0'.repeat(32)).join(',')],
])('refuses ids: %s', async (_, asked) => {
  const { status } = await app.call({ method: 'GET', path: `/zonereeve/zone_summaries?ids=${asked}` })
  expect(status).toBe(400)
})
