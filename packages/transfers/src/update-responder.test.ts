// Signatures of updates and of their answers. An update on a connection does not delay the queries behind it.
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
  type Tsig,
  type TsigKey,
} from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNameserver, createPerformedUpdates, createZoneTable, type Peer } from '@zonereeve/nameserver'
import { silentLog } from '@zonereeve/platform'
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
  test('a signed update is performed, and its answer is signed', async () => {
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

  test('an unsigned update is handled without a key', async () => {
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
    ['a signature from the future', signed(KEY, SECONDS + FUDGE_SECONDS + 1).octets, TSIG_ERROR.BADTIME],
  ]
  test.each(refused)('%s: NOTAUTH, and nothing is changed', async (_, octets, error) => {
    const { respond, seen } = responder()
    const answer = (await respond(octets, PEER)) ?? new Uint8Array()
    expect(rcodeText(decodeMessage(answer).rcode)).toBe('NOTAUTH')
    expect(readTsig(answer)?.tsig.error).toBe(error)
    expect(seen).toEqual([])
  })

  test('an update modified in transit: NOTAUTH', async () => {
    const { respond, seen } = responder()
    const { octets } = signed(KEY)
    const at = Buffer.from(octets).indexOf('www')
    octets[at] = 0x78
    const answer = (await respond(octets, PEER)) ?? new Uint8Array()
    expect(readTsig(answer)?.tsig.error).toBe(TSIG_ERROR.BADSIG)
    expect(seen).toEqual([])
  })

  test('anything else that begins like an update gets some answer', async () => {
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
  ])('%s is not handled here', (_, octets) => {
    expect(responder().respond(octets, PEER)).toBeUndefined()
  })
})

describe('a repeated update', () => {
  const outcome = async (respond: ReturnType<typeof responder>['respond'], octets: Uint8Array) => {
    const answer = (await respond(octets, PEER)) ?? new Uint8Array()
    return [rcodeText(decodeMessage(answer).rcode), readTsig(answer)?.tsig.error]
  }

  test.each([
    ['done', 0, 'NOERROR'],
    ['refused', 5, 'REFUSED'],
    ['without its prerequisites', 8, 'NXRRSET'],
  ])('%s: the same answer, and nothing is performed again', async (_, rcode, expected) => {
    const { respond, seen } = responder(rcode)
    const { octets, mac } = signed(KEY)
    const both = await Promise.all([outcome(respond, octets), outcome(respond, octets)])
    expect([...both, await outcome(respond, octets)]).toEqual([1, 2, 3].map(() => [expected, 0]))
    expect(seen).toHaveLength(1)
    const again = (await respond(octets, PEER)) ?? new Uint8Array()
    expect(createTsigVerifier(KEY, { hmac, requestMac: mac }).take(again, SECONDS)).toBeUndefined()
  })

  test('with another id, or a truncated MAC: still the same update', async () => {
    const { respond, seen } = responder()
    const { octets, mac } = signed(KEY)
    await respond(octets, PEER)
    const other = new Uint8Array(octets)
    other[0] = (other[0] ?? 0) ^ 0xff
    expect(await outcome(respond, other)).toEqual(['NOERROR', 0])
    expect(await outcome(respond, truncated(octets, mac.length, 16))).toEqual(['NOERROR', 0])
    expect(seen).toHaveLength(1)
  })

  test('after a server failure: it is performed again', async () => {
    const { respond, seen } = responder(2)
    const { octets } = signed(KEY)
    expect(await outcome(respond, octets)).toEqual(['SERVFAIL', 0])
    expect(await outcome(respond, octets)).toEqual(['SERVFAIL', 0])
    expect(seen).toHaveLength(2)
  })

  test('with a new signature: another update', async () => {
    const { respond, seen } = responder()
    for (const seconds of [SECONDS, SECONDS + 1]) await outcome(respond, signed(KEY, seconds).octets)
    expect(seen).toHaveLength(2)
  })

  test('updates forgotten before they expired are rejected, as is everything signed before them', async () => {
    const seen: number[] = []
    let now = SECONDS
    const { perform } = createPerformedUpdates(() => now, 2)
    const sent = (timeSigned: number, mac: number) => {
      const tsig = { ...readTsig(signed(KEY, timeSigned).octets)?.tsig, mac: new Uint8Array(32).fill(mac) }
      return perform({ tsig: tsig as Tsig, key: KEY }, () => Promise.resolve(seen.push(mac) * 0)) // it is there
    }
    for (const mac of [1, 2, 3]) await sent(SECONDS + mac, mac)
    expect([sent(SECONDS + 1, 1), sent(SECONDS + 1, 9)]).toEqual([undefined, undefined])
    expect(await sent(SECONDS + 3, 3)).toBe(0)
    expect(seen).toEqual([1, 2, 3])
    // Updates whose signature has expired are forgotten without a trace.
    now += 1_000
    await sent(SECONDS + 1_000, 4)
    expect(await sent(SECONDS + 1_000, 5)).toBe(0)
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })
})

/** The message with a truncated MAC (RFC 8945 §5.2.2.1). The MAC is followed by id, error, and no other data. */
function truncated(octets: Uint8Array, macOctets: number, keptOctets: number): Uint8Array {
  const end = octets.length - 6
  const less = macOctets - keptOctets
  const cut = Uint8Array.from([...octets.subarray(0, end - less), ...octets.subarray(end)])
  const sizeAt = end - macOctets - 2
  cut[sizeAt + 1] = keptOctets
  // The length of the RDATA: before the algorithm's name, time and fudge.
  const lengthAt = sizeAt - 8 - (KEY.algorithm.length + 2) - 2
  cut[lengthAt + 1] = (cut[lengthAt + 1] ?? 0) - less
  return cut
}

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
