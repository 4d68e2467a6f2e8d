// Signatures of updates and of their answers; and that an update on a connection holds up nothing behind it.
import { once } from 'node:events'
import { connect } from 'node:net'
import {
  createTsigSigner,
  createTsigVerifier,
  decodeMessage,
  encodeMessage,
  OPCODE,
  parseName,
  plainMessage,
  rcodeText,
  readTsig,
  TSIG_ERROR,
  type TsigKey,
} from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNameserver, createZoneTable, type Peer } from '../nameserver/index.ts'
import { silentLog } from '../platform/log.ts'
import { hmac } from './hmac.ts'
import { createUpdateResponder } from './update-responder.ts'

const SECONDS = 1_700_000_000
const FUDGE_SECONDS = 300
const KEY: TsigKey = {
  name: parseName('acme.update'),
  algorithm: 'hmac-sha256',
  secret: new Uint8Array(32).fill(1),
}
const PEER: Peer = { transport: 'udp', address: '::ffff:192.0.2.9' }
const UPDATE = plainMessage({
  id: 0x1234,
  opcode: OPCODE.UPDATE,
  questions: [{ name: parseName('example.com'), type: 6, class: 1 }],
  authorities: [{ name: parseName('www.example.com'), type: 1, class: 255, ttl: 0, rdata: new Uint8Array() }],
})

function responder(rcode = 0) {
  const seen: { steps: number; address: string; keyName: string | undefined }[] = []
  const respond = createUpdateResponder({
    findKey: (name, algorithm) => (name === KEY.name && algorithm === KEY.algorithm ? KEY : undefined),
    update: (message, sender) => {
      seen.push({ steps: message.authorities.length, ...sender })
      return Promise.resolve(rcode)
    },
    clock: { now: () => SECONDS * 1000 },
    log: silentLog,
  })
  return { respond, seen }
}

const signed = (key: TsigKey, seconds = SECONDS) => {
  const signer = createTsigSigner(key, { hmac })
  return { octets: signer.sign(encodeMessage(UPDATE), seconds), mac: signer.mac }
}

describe('signatures', () => {
  test('an update that is signed is done, and its answer is signed', async () => {
    const { respond, seen } = responder(8)
    const { octets, mac } = signed(KEY)
    const answer = (await respond(octets, PEER)) ?? new Uint8Array()
    expect(seen).toEqual([{ steps: 1, address: '192.0.2.9', keyName: 'acme.update' }])
    const message = decodeMessage(answer)
    expect([message.id, message.qr, message.opcode, rcodeText(message.rcode)]).toEqual([
      0x1234,
      true,
      5,
      'NXRRSET',
    ])
    expect(message.questions).toEqual(UPDATE.questions)
    expect(createTsigVerifier(KEY, { hmac, requestMac: mac }).take(answer, SECONDS)).toBeUndefined()
  })

  test('one that is not signed is judged without a key', async () => {
    const { respond, seen } = responder(5)
    const answer = await respond(encodeMessage(UPDATE), PEER)
    expect(seen.map(({ keyName }) => keyName)).toEqual([undefined])
    expect(answer && readTsig(answer)).toBeUndefined()
  })

  const refused: [name: string, octets: Uint8Array, error: number][] = [
    ['an unknown key', signed({ ...KEY, name: parseName('other.update') }).octets, TSIG_ERROR.BADKEY],
    ['another algorithm', signed({ ...KEY, algorithm: 'hmac-sha512' }).octets, TSIG_ERROR.BADKEY],
    ['another secret', signed({ ...KEY, secret: new Uint8Array(32) }).octets, TSIG_ERROR.BADSIG],
    ['an old signature', signed(KEY, SECONDS - FUDGE_SECONDS - 1).octets, TSIG_ERROR.BADTIME],
    ['one from the future', signed(KEY, SECONDS + FUDGE_SECONDS + 1).octets, TSIG_ERROR.BADTIME],
  ]
  test.each(refused)('%s: NOTAUTH, and nothing is done', async (_, octets, error) => {
    const { respond, seen } = responder()
    const answer = (await respond(octets, PEER)) ?? new Uint8Array()
    expect(rcodeText(decodeMessage(answer).rcode)).toBe('NOTAUTH')
    expect(readTsig(answer)?.tsig.error).toBe(error)
    expect(seen).toEqual([])
  })

  test('an update that was changed on its way: NOTAUTH', async () => {
    const { respond, seen } = responder()
    const { octets } = signed(KEY)
    const at = Buffer.from(octets).indexOf('www')
    octets[at] = 0x78
    const answer = (await respond(octets, PEER)) ?? new Uint8Array()
    expect(readTsig(answer)?.tsig.error).toBe(TSIG_ERROR.BADSIG)
    expect(seen).toEqual([])
  })

  test('whatever else begins like an update gets an answer of one kind or the other', async () => {
    const { respond } = responder()
    const start = encodeMessage(UPDATE)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.nat(start.length - 12), async (tail, cut) => {
        const answer = await respond(Uint8Array.from([...start.subarray(0, 12 + cut), ...tail]), PEER)
        expect(answer?.subarray(0, 2)).toEqual(start.subarray(0, 2))
        expect(((answer?.[2] ?? 0) & 0xf8) === 0xa8).toBe(true)
      }),
    )
  })

  test.each([
    ['a query', encodeMessage({ ...UPDATE, opcode: OPCODE.QUERY, authorities: [] })],
    ['an answer to an update', encodeMessage({ ...UPDATE, qr: true })],
    ['half a header', encodeMessage(UPDATE).subarray(0, 11)],
  ])('%s is for others', (_, octets) => {
    expect(responder().respond(octets, PEER)).toBeUndefined()
  })
})

test('queries behind an update on the same connection are answered before it (RFC 7766 §6.2.1.1)', async () => {
  let finish: (rcode: number) => void = () => {}
  const done = new Promise<number>((resolve) => (finish = resolve))
  const deps = { findKey: () => undefined, update: () => done, clock: { now: () => 0 }, log: silentLog }
  const respondLater = createUpdateResponder(deps)
  const server = createNameserver({ table: createZoneTable(), log: silentLog, respondLater })
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(port, '127.0.0.1')
  try {
    const question = encodeMessage({ ...UPDATE, id: 2, opcode: OPCODE.QUERY, authorities: [] })
    for (const octets of [encodeMessage({ ...UPDATE, id: 1 }), question])
      socket.write(Uint8Array.from([octets.length >> 8, octets.length & 255, ...octets]))
    socket.end() // no more queries, but their answers are wanted
    const [first] = (await once(socket, 'data')) as [Buffer] // what net promises for 'data'
    expect(first.readUInt16BE(2)).toBe(2)
    finish(6)
    const [second] = (await once(socket, 'data')) as [Buffer] // the same
    expect(decodeMessage(second.subarray(2))).toMatchObject({ id: 1, rcode: 6, opcode: OPCODE.UPDATE })
    await once(socket, 'close')
  } finally {
    socket.destroy()
    await server.close()
  }
})
