// DNS settings in effect: answers of the whole program over UDP, before and after a change, and after a restart.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import packet, { type Answer, type OptAnswer, type RecordType } from 'dns-packet'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { startApp, type App } from '../../../main/app.ts'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../../../testing/app.ts'
import { mustOf } from '../../../testing/program-calls.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const start = (data?: string): Promise<App> =>
  startApp({
    config: loadConfig({
      flags: {
        http: '127.0.0.1:0',
        dns: '127.0.0.1:0',
        'dns-threads': '0',
        ...(data === undefined ? {} : { data }),
      },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log: silentLog,
    inMemory: data === undefined,
  })

const EDNS: OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: 1232,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

async function question(app: App, name: string, type: RecordType): Promise<readonly Answer[]> {
  const socket = createSocket('udp4')
  try {
    const query = packet.encode({
      type: 'query',
      id: 7,
      questions: [{ name, type, class: 'IN' }],
      additionals: [EDNS],
    })
    socket.send(query, app.dns.port, app.dns.host)
    const [reply] = (await once(socket, 'message')) as [Buffer]
    const { answers = [], authorities = [] } = packet.decode(reply)
    return [...answers, ...authorities]
  } finally {
    socket.close()
  }
}

/** Answers and authorities as lines of `TYPE ttl data`, the SOA without its serial. */
async function ask(app: App, name: string, type: RecordType): Promise<string[]> {
  return (await question(app, name, type)).map(lineOf).toSorted()
}

function lineOf(answer: Answer): string {
  if (answer.type === 'NS') return `NS ${answer.ttl} ${answer.data}`
  if (answer.type !== 'SOA') throw new Error(`${answer.type} was not asked for`)
  const { mname, rname, refresh, retry, expire, minimum } = answer.data
  return `SOA ${answer.ttl} ${mname} ${rname} ${refresh} ${retry} ${expire} ${minimum}`
}

async function serialOf(app: App, name: string): Promise<number> {
  const [answer] = await question(app, name, 'SOA')
  if (answer?.type !== 'SOA') throw new Error('no SOA')
  return answer.data.serial ?? 0
}

let app: App
let zones = 0
let name = ''
let zone = ''
beforeAll(async () => {
  app = await start()
})
afterAll(async () => {
  await app.close()
})
beforeEach(async () => {
  name = `zone${(zones += 1)}.example`
  zone = `/zones/${(await mustOf(app, 'POST', '/zones', { name })).id}`
})

const NS = ['NS 86400 ns1.zonereeve.internal', 'NS 86400 ns2.zonereeve.internal']
const soaLine = (ttl: number, minimum = 1800) =>
  `SOA ${ttl} ns1.zonereeve.internal hostmaster.${name} 10000 2400 604800 ${minimum}`

test('the default answers', async () => {
  expect(await ask(app, name, 'SOA')).toEqual([soaLine(3600)])
  expect(await ask(app, name, 'NS')).toEqual(NS)
  expect(await ask(app, `no.${name}`, 'A')).toEqual([soaLine(1800)])
})

test('every member of the SOA, with the next serial, as soon as the reply arrives', async () => {
  const before = await serialOf(app, name)
  const soa = { refresh: 7200, retry: 900, expire: 86_400, min_ttl: 60, ttl: 1800 }
  await mustOf(app, 'PATCH', `${zone}/dns_settings`, {
    soa: { mname: 'primary.example.net', rname: 'dns.team@example.net', ...soa },
  })
  const line = String.raw`primary.example.net dns\.team.example.net 7200 900 86400 60`
  expect(await ask(app, name, 'SOA')).toEqual([`SOA 1800 ${line}`])
  expect(await ask(app, `no.${name}`, 'A')).toEqual([`SOA 60 ${line}`])
  expect(await serialOf(app, name)).toBe(before + 1)
  await mustOf(app, 'PATCH', `${zone}/dns_settings`, { soa: { mname: null, rname: null } })
  expect(await ask(app, name, 'SOA')).toEqual([
    `SOA 1800 ns1.zonereeve.internal hostmaster.${name} 7200 900 86400 60`,
  ])
})

test('the TTL of a negative answer never exceeds that of the SOA', async () => {
  await mustOf(app, 'PATCH', `${zone}/dns_settings`, { soa: { min_ttl: 86_400, ttl: 3000 } })
  expect(await ask(app, `no.${name}`, 'A')).toEqual([soaLine(3000, 86_400)])
})

test('a rejected patch changes no answer', async () => {
  const before = await serialOf(app, name)
  const body = { ns_ttl: 60, soa: { min_ttl: 60, ttl: 1 } }
  await expect(mustOf(app, 'PATCH', `${zone}/dns_settings`, body)).rejects.toThrow('400')
  expect(await ask(app, name, 'SOA')).toEqual([soaLine(3600)])
  expect(await ask(app, name, 'NS')).toEqual(NS)
  expect(await serialOf(app, name)).toBe(before)
})

test('NS records of other providers, only with multi_provider', async () => {
  await mustOf(app, 'POST', `${zone}/dns_records`, {
    type: 'NS',
    name: '@',
    content: 'ns.other.example',
    ttl: 3600,
  })
  expect(await ask(app, name, 'NS')).toEqual(NS)
  await mustOf(app, 'PATCH', `${zone}/dns_settings`, { multi_provider: true, ns_ttl: 7200 })
  expect(await ask(app, name, 'NS')).toEqual([
    'NS 3600 ns.other.example',
    'NS 3600 ns1.zonereeve.internal',
    'NS 3600 ns2.zonereeve.internal',
  ])
  await mustOf(app, 'PATCH', `${zone}/dns_settings`, { multi_provider: false })
  expect(await ask(app, name, 'NS')).toEqual(NS.map((line) => line.replace('86400', '7200')))
})

test('custom name servers of the zone', async () => {
  const before = await serialOf(app, name)
  await mustOf(app, 'PATCH', zone, { vanity_name_servers: [`b.${name}`, `a.${name}`] })
  expect(await ask(app, name, 'NS')).toEqual([`NS 86400 a.${name}`, `NS 86400 b.${name}`])
  expect(await ask(app, name, 'SOA')).toEqual([
    `SOA 3600 b.${name} hostmaster.${name} 10000 2400 604800 1800`,
  ])
  expect(await serialOf(app, name)).toBe(before + 1)
  await mustOf(app, 'PATCH', zone, { vanity_name_servers: [] })
  expect(await ask(app, name, 'NS')).toEqual(NS)
})

test('a name too long for a hostmaster label is the mailbox itself', async () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
  await mustOf(app, 'POST', '/zones', { name: long })
  expect(await ask(app, long, 'SOA')).toEqual([
    `SOA 3600 ns1.zonereeve.internal ${long} 10000 2400 604800 1800`,
  ])
})

test('a restart gives the same answers', async () => {
  const folder = scratchFolder()
  const first = await start(folder)
  const [account] = await mustOf<{ id: string }[]>(first, 'GET', '/accounts')
  await mustOf(first, 'PATCH', `/accounts/${account?.id}/dns_settings`, {
    zone_defaults: { ns_ttl: 600, soa: { rname: 'dns@example.net' } },
  })
  const { id } = await mustOf(first, 'POST', '/zones', { name })
  await mustOf(first, 'PATCH', `/zones/${id}/dns_settings`, { soa: { min_ttl: 300 } })
  await mustOf(first, 'PATCH', `/zones/${id}`, { vanity_name_servers: [`ns.${name}`] })
  const expected = [
    [`NS 600 ns.${name}`],
    [`SOA 3600 ns.${name} dns.example.net 10000 2400 604800 300`],
    await serialOf(first, name),
  ]
  const answers = async (of: App) => [
    await ask(of, name, 'NS'),
    await ask(of, name, 'SOA'),
    await serialOf(of, name),
  ]
  expect(await answers(first)).toEqual(expected)
  await first.close()
  const second = await start(folder)
  expect(await answers(second)).toEqual(expected)
  await second.close()
})
