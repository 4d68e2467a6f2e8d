// The whole program over its sockets: zones whose transfers contain a digest (ZONEMD), verified as by a secondary.
import { createHash } from 'node:crypto'
import { parseName, zoneDigestOctets, type PlainRecord } from '@zonereeve/dns'
import { loadConfig } from '@zonereeve/config'
import { manualClock, randomIds, silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { askTcp, askUdp, HOST, KEY, NOW } from '@zonereeve/transfers/asking.cases.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { callProgram, mustOf } from '../testing/program-calls.ts'
import { startApp, type App } from './app.ts'

const ZONE = 'digest.example'
let data = ''
let app: App
let peerId = ''

beforeEach(async () => {
  data = scratchFolder()
  app = await start()
  const [account] = await must<{ id: string }[]>('GET', '/accounts')
  const root = `/accounts/${account?.id ?? ''}/secondary_dns`
  const tsig = { name: KEY.name, secret: Buffer.from(KEY.secret).toString('base64'), algo: KEY.algorithm }
  const { id: keyId } = await must('POST', `${root}/tsigs`, tsig)
  peerId = (await must('POST', `${root}/peers`, { name: 'peer', tsig_id: keyId })).id
})

afterEach(() => app.close())

function start(): Promise<App> {
  const config = loadConfig({
    flags: { http: `${HOST}:0`, dns: `${HOST}:0`, 'dns-threads': '0', data },
    environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
  })
  return startApp({ config, clock: manualClock(NOW), ids: randomIds(), log: silentLog })
}

const must = <Result = { readonly id: string }>(method: string, path: string, body?: object) =>
  mustOf<Result>(app, method, path, body)

const settingsOf = (zoneId: string) => `/zonereeve/zones/${zoneId}/dns_settings`

/** A zone whose transfers are enabled. */
async function addZone(isOn = true): Promise<string> {
  const { id } = await must('POST', '/zones', { name: ZONE })
  await must('POST', `/zones/${id}/dns_records`, { type: 'A', name: `www.${ZONE}`, content: '192.0.2.1' })
  await must('POST', `/zones/${id}/secondary_dns/outgoing`, { name: ZONE, peers: [peerId] })
  await must('POST', `/zones/${id}/secondary_dns/outgoing/enable`)
  if (isOn) await must('PATCH', settingsOf(id), { zone_digest: true })
  return id
}

interface Transferred {
  readonly records: readonly string[]
  readonly plain: readonly PlainRecord[]
}

/** The records of a whole transfer, without the second SOA. */
async function transferred(): Promise<Transferred> {
  const { records, messages } = await askTcp(app.dns.port, { name: ZONE, type: 'AXFR', key: KEY })
  return { records: records.slice(0, -1), plain: messages.flatMap(({ answers }) => answers).slice(0, -1) }
}

const digestsIn = ({ records }: Pick<Transferred, 'records'>): readonly string[] =>
  records.filter((line) => line.split(' ')[2] === 'ZONEMD' && line.startsWith(`${ZONE} `))

/** What a secondary says of a transferred zone. */
function verdictOn({ records, plain }: Transferred): string {
  const hash = createHash('sha384')
  for (const octets of zoneDigestOctets(parseName(ZONE), plain)) hash.update(octets)
  const [digest, ...others] = digestsIn({ records })
  if (digest === undefined || others.length > 0) return `${others.length} other digests`
  const serial = records[0]?.split(' ')[5] ?? ''
  const isRight = digest.toLowerCase().endsWith(` zonemd ${serial} 1 1 ${hash.digest('hex')}`)
  return isRight ? 'right' : 'wrong'
}

const statusOf = (zoneId: string) =>
  must<{ soa_serial: number; digest_serial: number | null; digest_state: string }>(
    'GET',
    `/zonereeve/zones/${zoneId}/secondary_dns/outgoing/status`,
  )

/** The digest that is answered, once that is of the newest serial. */
async function answered(zoneId: string): Promise<readonly string[]> {
  for (;;) {
    const status = await statusOf(zoneId)
    if (status.digest_serial === status.soa_serial && status.digest_state === 'answered') break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return (await askUdp(app.dns.port, { name: ZONE, type: 'ZONEMD' })).records
}

describe.each(['unsigned', 'signed'])('%s', (kind) => {
  async function addKindOfZone(): Promise<string> {
    const id = await addZone()
    if (kind === 'signed') await must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
    return id
  }

  test('each change is transferred with a digest that is right, and answered; a restart keeps it', async () => {
    const id = await addKindOfZone()
    for (const [i, name] of ['a', 'b', '*', 'x.y'].entries()) {
      await must('POST', `/zones/${id}/dns_records`, {
        type: 'A',
        name: `${name}.${ZONE}`,
        content: `192.0.2.${i}`,
      })
      const records = await transferred()
      expect(verdictOn(records)).toBe('right')
      expect(await answered(id)).toEqual(digestsIn(records))
    }
    const before = await transferred()
    await app.close()
    app = await start()
    const after = await transferred()
    expect(verdictOn(after)).toBe('right')
    if (kind === 'unsigned') expect(after.records).toEqual(before.records)
    expect(await answered(id)).toEqual(digestsIn(after))
  })

  test('a record that is stored at the apex is not served while the switch is on', async () => {
    const id = await addKindOfZone()
    const digest = 'ab'.repeat(48)
    const file = `@ 60 IN ZONEMD 7 1 1 ${digest}\nwww 60 IN A 192.0.2.1\nbelow 60 IN ZONEMD 7 1 1 ${digest}\n`
    const reply = await fetch(
      `http://${app.http.host}:${app.http.port}/client/v4/zonereeve/zones/${id}/zone_file`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'text/dns' },
        body: file,
      },
    )
    expect(reply.status).toBe(200)
    const on = await transferred()
    expect(on.records.some((line) => line.toLowerCase() === `below.${ZONE} 60 zonemd 7 1 1 ${digest}`)).toBe(
      true,
    )
    expect(verdictOn(on)).toBe('right')
    const others = on.plain.filter(({ name }) => name !== `below.${ZONE}`)
    expect(verdictOn({ ...on, plain: others })).toBe('wrong')
    await must('PATCH', settingsOf(id), { zone_digest: false })
    const off = digestsIn(await transferred())
    expect(off.map((line) => line.toLowerCase())).toEqual([`${ZONE} 60 zonemd 7 1 1 ${digest}`])
  })
})

test('without transfers, none is made: one that is answered stays until the next change', async () => {
  const id = await addZone()
  await answered(id)
  await must('POST', `/zones/${id}/secondary_dns/outgoing/disable`)
  expect(await statusOf(id)).toMatchObject({ enabled: false, digest_state: 'answered' })
  await must('POST', `/zones/${id}/dns_records`, { type: 'A', name: `new.${ZONE}`, content: '192.0.2.2' })
  expect(await statusOf(id)).toMatchObject({ digest_state: 'off', digest_serial: null })
  await must('POST', `/zones/${id}/secondary_dns/outgoing/enable`)
  expect((await statusOf(id)).digest_state).not.toBe('off')
})

test('is off by default, moves the serial when it is switched, and is in the history', async () => {
  const id = await addZone(false)
  const serialNow = async () => Number((await transferred()).records[0]?.split(' ')[5])
  expect(await must('GET', settingsOf(id))).toEqual({ zone_digest: false })
  expect(await statusOf(id)).toMatchObject({ digest_state: 'off', digest_serial: null })
  expect(digestsIn(await transferred())).toEqual([])
  const first = await serialNow()
  expect(await must('PATCH', settingsOf(id), {})).toEqual({ zone_digest: false })
  expect(await serialNow()).toBe(first)
  expect(await must('PATCH', settingsOf(id), { zone_digest: true })).toEqual({ zone_digest: true })
  expect(await serialNow()).toBe(first + 1)
  expect(verdictOn(await transferred())).toBe('right')
  // The documented settings do not have it, and leave it.
  const documented = await must<object>('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 600 })
  expect(Object.keys(documented)).not.toContain('zone_digest')
  expect(await must('GET', settingsOf(id))).toEqual({ zone_digest: true })
  const [, switched] = await must<{ kinds: { kind: string }[] }[]>('GET', `/zonereeve/zones/${id}/changes`)
  expect(switched?.kinds).toEqual([{ kind: 'dns_settings.update', operations: 1 }])
})

test.each([
  ['not a boolean', { zone_digest: 'yes' }],
  ['an unknown member', { zonemd: true }],
])('%s is refused', async (_, body) => {
  const id = await addZone(false)
  const { status } = await callProgram(app, 'PATCH', settingsOf(id), body)
  expect(status).toBe(400)
  expect(await must('GET', settingsOf(id))).toEqual({ zone_digest: false })
})

test('a secondary zone is sent on as it is: the setting is refused', async () => {
  const { id } = await must('POST', '/zones', { name: 'other.example', type: 'secondary' })
  const { status, envelope } = await callProgram(app, 'PATCH', settingsOf(id), { zone_digest: true })
  expect([status, envelope.errors.map(({ code }) => code)]).toEqual([400, [19730]])
})
