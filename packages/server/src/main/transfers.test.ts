// The whole program over its sockets: zones with secondaries on other nameservers.
import { createSocket } from 'node:dgram'
import { decodeMessage, OPCODE, readTsig } from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { manualClock, randomIds, silentLog } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { mustOf } from '../testing/program-calls.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { askTcp, HOST, KEY, NOW } from '@zonereeve/transfers/asking.cases.ts'
import { startApp, type App } from './app.ts'

const SECRET = Buffer.from(KEY.secret).toString('base64')
const open: { close(): Promise<unknown> }[] = []
let data = ''
let app: App
let threads = '0'

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

async function start(): Promise<App> {
  const config = loadConfig({
    flags: {
      http: `${HOST}:0`,
      dns: `${HOST}:0`,
      'dns-threads': threads,
      data,
      'edge-addresses': '198.51.100.1',
    },
    environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
  })
  const started = await startApp({ config, clock: manualClock(NOW), ids: randomIds(), log: silentLog })
  open.push(started)
  return started
}

async function restart(): Promise<void> {
  await open.pop()?.close()
  app = await start()
}

const must = <Result = { readonly id: string }>(method: string, path: string, body?: object) =>
  mustOf<Result>(app, method, path, body)

/** Adds a key and a peer that signs with it, at a port where the test listens or an unused one. */
async function addPeer(port?: number): Promise<{ readonly root: string; readonly peerId: string }> {
  const [account] = await must<{ id: string }[]>('GET', '/accounts')
  const root = `/accounts/${account?.id ?? ''}`
  const tsig = { name: KEY.name, secret: SECRET, algo: KEY.algorithm }
  const { id: keyId } = await must('POST', `${root}/secondary_dns/tsigs`, tsig)
  const at = port === undefined ? {} : { ip: HOST, port }
  const peer = { name: 'peer', tsig_id: keyId, ...at }
  return { root, peerId: (await must('POST', `${root}/secondary_dns/peers`, peer)).id }
}

async function addZone(name: string, peerId: string, proxied: boolean): Promise<string> {
  const { id } = await must('POST', '/zones', { name })
  const record = { type: 'A', name: `www.${name}`, content: '192.0.2.1', proxied }
  await must('POST', `/zones/${id}/dns_records`, record)
  await must('POST', `/zones/${id}/secondary_dns/outgoing`, { name, peers: [peerId] })
  await must('POST', `/zones/${id}/secondary_dns/outgoing/enable`)
  return id
}

const axfr = (name: string) => askTcp(app.dns.port, { name, type: 'AXFR', key: KEY })

/** Zones with derived answers can be transferred once their serial has increased. */
async function transferOf(name: string): Promise<readonly string[]> {
  for (;;) {
    const { rcode, records, isSigned } = await axfr(name)
    expect(isSigned).toBe(true)
    if (rcode === 0) return records
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const serialIn = (records: readonly string[]): number => Number(records[0]?.split(' ')[5])
const serialOf = async (zoneId: string): Promise<number> =>
  (await must<{ soa_serial: number }>('GET', `/zones/${zoneId}/secondary_dns/outgoing`)).soa_serial

describe.each(['0', '2'])('with %s answering threads', (count) => {
  beforeEach(async () => {
    threads = count
    data = scratchFolder()
    app = await start()
  })

  test('a zone is transferred as it is answered, and a restart increases the serial only for derived answers', async () => {
    const { root, peerId } = await addPeer()
    const plainId = await addZone('plain.example', peerId, false)
    const proxiedId = await addZone('proxied.example', peerId, true)
    const definition = { name: 'catalog.example', peers: [peerId] }
    expect(await must('PUT', `/zonereeve${root}/catalog_zone`, definition)).toMatchObject({
      members: 2,
      transfers: { current: 0, behind: 0, unknown: 1 },
    })

    const plain = await transferOf('plain.example')
    const proxied = await transferOf('proxied.example')
    expect(plain).toContain('www.plain.example 300 A 192.0.2.1')
    expect(proxied).toContain('www.proxied.example 300 A 198.51.100.1')
    expect(proxied.join()).not.toContain('192.0.2.1')
    expect([serialIn(plain), serialIn(proxied)]).toEqual([await serialOf(plainId), await serialOf(proxiedId)])
    const history = await must<{ serial: number | null }[]>('GET', `/zonereeve/zones/${proxiedId}/changes`)
    expect(Math.max(...history.map(({ serial }) => serial ?? 0))).toBe(serialIn(proxied))
    const copies = async () =>
      (await must<{ transfers: object }>('GET', `/zonereeve${root}/catalog_zone`)).transfers
    expect(await copies()).toEqual({ current: 0, behind: 0, unknown: 1 })
    const catalog = await transferOf('catalog.example')
    expect(await copies()).toEqual({ current: 1, behind: 0, unknown: 0 })
    expect(catalog.slice(1, -1).toSorted()).toEqual(
      [
        'catalog.example 0 NS invalid.',
        'version.catalog.example 0 TXT "2"',
        `${plainId}.zones.catalog.example 0 PTR plain.example.`,
        `${proxiedId}.zones.catalog.example 0 PTR proxied.example.`,
      ].toSorted(),
    )

    await restart()
    expect(await transferOf('plain.example')).toEqual(plain)
    const again = await transferOf('proxied.example')
    expect(serialIn(again)).toBe(serialIn(proxied) + 1)
    expect(again.slice(1, -1)).toEqual(proxied.slice(1, -1))
    expect((await transferOf('catalog.example')).toSorted()).toEqual(catalog.toSorted())
    const seen = await must<Record<string, string>>('GET', `/zones/${plainId}/secondary_dns/outgoing`)
    expect(seen['last_transferred_time']).toMatch(/^2026-/)

    await must('POST', `/zones/${plainId}/secondary_dns/outgoing/disable`)
    expect(await axfr('plain.example')).toMatchObject({ rcode: 5, records: [] })
    expect(await copies()).toEqual({ current: 0, behind: 1, unknown: 0 })
    expect((await transferOf('catalog.example')).join()).not.toContain('plain.example')
  })

  test('peers get a signed NOTIFY for changes, but not if the serial stays', async () => {
    const socket = createSocket('udp4')
    const reported: Uint8Array[] = []
    await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
    socket.on('message', (packet, { port }) => {
      reported.push(new Uint8Array(packet))
      const reply = new Uint8Array(packet)
      reply[2] = (reply[2] ?? 0) | 0x80
      socket.send(reply, port, HOST)
    })
    open.unshift({ close: () => new Promise<void>((resolve) => socket.close(() => resolve())) })
    const notified = async (count: number): Promise<void> => {
      while (reported.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const { peerId } = await addPeer(socket.address().port)
    const id = await addZone('plain.example', peerId, false)
    await notified(1)
    const before = await serialOf(id)
    await must('PATCH', `/zones/${id}`, { paused: true })
    await must('POST', `/zones/${id}/dns_records`, { type: 'A', name: 'new', content: '192.0.2.2' })
    await notified(2)
    const last = readTsig(reported.at(-1) ?? new Uint8Array())
    expect(last?.tsig.keyName).toBe(KEY.name)
    const message = decodeMessage(last?.unsigned ?? new Uint8Array())
    expect(message).toMatchObject({
      opcode: OPCODE.NOTIFY,
      aa: true,
      questions: [{ name: 'plain.example', type: 6 }],
    })
    expect(await serialOf(id)).toBe(before + 1)
  })
})
