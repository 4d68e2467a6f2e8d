// Which zone a challenge is for.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

let app: TestApp
const ids = new Map<string, string>()

beforeAll(async () => {
  app = await startTestApp()
  for (const name of ['internal', 'own.example', 'sub.own.example'])
    ids.set(name, (await app.must<{ id: string }>('POST', '/zones', { name })).id)
})
afterAll(() => app.close())

test.each([
  ['www.own.example', 'own.example'],
  ['own.example', 'own.example'],
  ['a.b.sub.own.example', 'sub.own.example'],
  // A zone of one label.
  ['dns.internal', 'internal'],
  ['www.other.example', undefined],
])('the zone of %s is %s', async (host, zone) => {
  expect(await app.acmeChallenges.zoneOf(host)).toBe(zone === undefined ? undefined : ids.get(zone))
})
