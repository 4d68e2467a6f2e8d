// Rules by the location of a client: they decide with a database, are refused without one, and stay when it goes.
import { ipText } from '@zonereeve/expr'
import { installLocations } from '@zonereeve/firewall'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

const DATABASE = {
  locationOf: (ip: Parameters<typeof ipText>[0]) => ({
    asnum: 64_500,
    isInEuropeanUnion: false,
    strings: { country: ipText(ip) === '192.0.2.1' ? 'CH' : 'XX' },
  }),
}
const ENTRY = 'rulesets/phases/http_request_firewall_custom/entrypoint'
let app: TestApp
let zone: string

beforeAll(async () => {
  app = await startTestApp()
  zone = (await app.must<{ id: string }>('POST', '/zones', { name: 'places.example' })).id
})
beforeEach(() => installLocations(DATABASE))
afterAll(async () => {
  installLocations(undefined)
  await app.close()
})

const put = (expression: string) =>
  app.call({
    method: 'PUT',
    path: `/zones/${zone}/${ENTRY}`,
    body: { rules: [{ action: 'block', expression }] },
  })
async function decide(ip: string): Promise<string> {
  const body = { url: 'https://places.example/', ip }
  return (await app.must<{ action: string }>('POST', `/zonereeve/zones/${zone}/firewall/decide`, body)).action
}

test.each([
  ['ip.src.country eq "CH"', ['block', 'allow']],
  ['ip.src.country ne "CH"', ['allow', 'block']],
  ['not ip.src.country in {"CH" "DE"}', ['allow', 'block']],
  ['ip.geoip.country eq "CH"', ['block', 'allow']],
  ['ip.src.asnum eq 64500', ['block', 'block']],
  ['ip.src.city eq "Bern"', ['allow', 'allow']],
  ['ip.src.is_in_european_union', ['allow', 'allow']],
])('%s', async (expression, actions) => {
  expect((await put(expression)).status).toBe(200)
  expect([await decide('192.0.2.1'), await decide('192.0.2.2')]).toEqual(actions)
})

test('without a database such a rule is refused by name, and one that is there matches nothing', async () => {
  expect((await put('ip.src.country eq "CH"')).status).toBe(200)
  installLocations(undefined)
  const { status, json } = await put('ip.src.country eq "DE"')
  expect([status, json.errors[0]?.message]).toEqual([400, expect.stringContaining('--geoip')])
  await app.must('PUT', `/zones/${zone}/url_normalization`, { scope: 'incoming', type: 'rfc3986' }) // compiles again
  expect(await decide('192.0.2.1')).toBe('allow')
})
