// Transfers over TLS: the primary's certificate is verified before anything is sent.
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { parseName } from '@zonereeve/dns'
import { FIRST, SECOND } from '@zonereeve/nameserver/certificate.cases.ts'
import { manualClock } from '@zonereeve/platform'
import { afterEach, expect, test } from 'vitest'
import { startScriptedPrimary } from './scripted-primary.cases.ts'
import { HOST, KEY, NOW } from './asking.cases.ts'
import { hmac } from './hmac.ts'
import { converse, PRIMARY_LIMITS } from './primary.ts'
import type { PrimaryTls } from './primary-connection.ts'

const APEX = 'followed.example'
const WHOLE = ['SOA 2', `${APEX} 60 NS ns.${APEX}.`, `www.${APEX} 60 A 192.0.2.1`, 'SOA 2']
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

function pinOf(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
const [FIRST_PIN, SECOND_PIN] = [pinOf(FIRST.cert), pinOf(SECOND.cert)]

async function listenWith(server: Server): Promise<number> {
  server.listen(0, HOST)
  await once(server, 'listening')
  open.push({ close: () => server.close() })
  return (server.address() as AddressInfo).port // a TCP server
}

/** A primary, and a server before it that ends TLS. */
async function startPrimary(options: TlsOptions = {}) {
  const nowSeconds = (): number => NOW / 1000
  const script = { serial: 2, key: KEY, axfr: [WHOLE] }
  const primary = await startScriptedPrimary({ apex: APEX, hmac, nowSeconds }, script)
  open.push(primary)
  const names: unknown[] = []
  const server = createTlsServer({ ...FIRST, ALPNProtocols: ['dot'], ...options }, (socket) => {
    names.push(`${String(socket.alpnProtocol)} ${String(socket.getProtocol())}`)
    const onward = connect(primary.port, HOST)
    socket.on('error', () => onward.destroy()).pipe(onward)
    onward.on('error', () => socket.destroy()).pipe(socket)
  })
  return { port: await listenWith(server), primary, names }
}

function converseWith(port: number, tls: Omit<PrimaryTls, 'port'>, idleMillis = 10_000) {
  const conversation = converse({
    peer: { id: 'peer', address: HOST, port: 9, key: KEY, tls: { port, ...tls } },
    authorities: FIRST.cert,
    apex: parseName(APEX),
    clock: manualClock(NOW),
    limits: { ...PRIMARY_LIMITS, idleMillis },
    signal: new AbortController().signal,
  })
  open.push(conversation)
  return conversation
}

test.each<[string, Omit<PrimaryTls, 'port'>]>([
  ['a name', { serverName: 'ns1.example.com', pins: [] }],
  ['a pin', { serverName: null, pins: [FIRST_PIN] }],
  ['one of two pins', { serverName: null, pins: [SECOND_PIN, FIRST_PIN] }],
  ['a name and a pin', { serverName: 'localhost', pins: [FIRST_PIN] }],
])('a zone is transferred over TLS 1.3, verified by %s', async (_, tls) => {
  const { port, primary, names } = await startPrimary()
  const conversation = converseWith(port, tls)
  expect(await conversation.serial()).toBe(2)
  expect(await conversation.transfer(undefined)).toMatchObject({ kind: 'zone', soa: { serial: 2 } })
  expect(primary.asked).toEqual(['SOA', 'AXFR'])
  expect(names).toEqual(['dot TLSv1.3'])
})

test.each<[string, TlsOptions, Omit<PrimaryTls, 'port'>, RegExp]>([
  ['another name', {}, { serverName: 'ns2.example.com', pins: [] }, /ERR_TLS_CERT_ALTNAME_INVALID/],
  [
    'another authority',
    SECOND,
    { serverName: 'localhost', pins: [] },
    /TLS with the primary failed: \w*SIGNED/,
  ],
  ['another key', {}, { serverName: null, pins: [SECOND_PIN] }, /which is not pinned/],
  ['the right name with another key', {}, { serverName: 'localhost', pins: [SECOND_PIN] }, /not pinned/],
  ['the right key with another name', {}, { serverName: 'a.example', pins: [FIRST_PIN] }, /ALTNAME/],
  ['an older TLS', { maxVersion: 'TLSv1.2' }, { serverName: 'localhost', pins: [] }, /TLS with the primary/],
])('a primary with %s is sent nothing', async (_, options, tls, problem) => {
  const { port, primary } = await startPrimary(options)
  await expect(converseWith(port, tls).serial()).rejects.toThrow(problem)
  expect(primary.asked).toEqual([])
})

test('a primary that does not speak TLS, or nothing at all, fails the conversation', async () => {
  const plain = await listenWith(createServer((socket) => void socket.on('error', () => {}).end('no')))
  const tls = { serverName: 'localhost', pins: [] }
  await expect(converseWith(plain, tls).serial()).rejects.toThrow(/TLS with the primary failed|disconnected/)
  const silent = await listenWith(createServer((socket) => void socket.on('error', () => {}).resume()))
  const conversation = converseWith(silent, tls, 50)
  await expect(conversation.serial()).rejects.toThrow(/silent/)
})
