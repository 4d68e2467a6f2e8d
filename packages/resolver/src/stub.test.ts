import { createSocket } from 'node:dgram'
import { parseName } from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromTable, questionOctets, replyTo, silence, startFakeResolver } from './fake-resolver.cases.ts'
import type { FakeAnswers, FakeQuery, FakeResolver } from './fake-resolver.cases.ts'
import { NoAnswer } from './query.ts'
import { DEFAULT_RESOLVER_LIMITS } from './limits.ts'
import { createStub } from './stub.ts'
import type { Answer } from './answer.ts'

const A = 1
const NAME = parseName('www.example.net')
const GOOD = ['www.example.net 120 A 192.0.2.1']
const limits = { ...DEFAULT_RESOLVER_LIMITS, attemptMs: 150, attempts: 2 }

let fake: FakeResolver
beforeEach(async () => {
  fake = await startFakeResolver(silence)
})
afterEach(() => fake.close())

const stubFor = (...servers: readonly { host: string; port: number }[]) =>
  createStub({ servers, random: counting(), limits })
/** Waits for a reply longer than a test may take. */
const patientStubFor = (server: { host: string; port: number }) =>
  createStub({ servers: [server], random: counting(), limits: { ...limits, attemptMs: 600_000 } })
const ask = (signal = new AbortController().signal): Promise<Answer> => stubFor(fake)(NAME, A, signal)

/** Random enough to mix case, and the same in every run. */
function counting(): (octets: number) => Uint8Array {
  let state = 12345
  return (octets) =>
    Uint8Array.from({ length: octets }, () => {
      state = (state * 1103515245 + 12345) & 0x7fff_ffff
      return state >> 16
    })
}

const addresses = ({ rdatas }: Answer): string[] => rdatas.map((rdata) => rdata.join('.'))
const altered = (packet: Uint8Array, change: (octets: Uint8Array) => void): Uint8Array => {
  const copy = Uint8Array.from(packet)
  change(copy)
  return copy
}
const good = (query: FakeQuery): Uint8Array => replyTo(query, GOOD)
const evil = (query: FakeQuery): Uint8Array => replyTo(query, ['www.example.net 99 A 203.0.113.66'])
const overTcp: FakeAnswers = (query) => (query.transport === 'tcp' ? [good(query)] : [])

describe('sent queries', () => {
  test('set RD and EDNS, in mixed case, with different ids and ports', async () => {
    const queries: FakeQuery[] = []
    fake.answer = (query) => {
      queries.push(query)
      return [good(query)]
    }
    const stub = stubFor(fake)
    const signal = new AbortController().signal
    for (let i = 0; i < 8; i += 1) await stub(NAME, A, signal)
    expect(queries).toHaveLength(8)
    for (const { message } of queries) {
      expect(message).toMatchObject({ rd: true, qr: false, opcode: 0, edns: { udpPayloadSize: 1232 } })
    }
    expect(new Set(queries.map(({ message }) => message.id)).size).toBeGreaterThan(6)
    expect(fake.ports.size).toBeGreaterThan(6)
    const spellings = queries.map(({ packet }) => Buffer.from(packet.subarray(12, 29)).toString('latin1'))
    expect(new Set(spellings).size).toBeGreaterThan(6)
    expect(new Set(spellings.map((text) => text.toLowerCase())).size).toBe(1)
  })
})

describe('an unreachable server', () => {
  test.each([
    ['an address that may not be connected to', { host: '255.255.255.255', port: 53 }, /EACCES/],
    ['a port that does not exist', { host: '127.0.0.1', port: 0 }, /[Pp]ort/],
  ])('%s gives no answer, and its error is contained', async (_, server, problem) => {
    const asking = patientStubFor(server)(NAME, A, new AbortController().signal)
    await expect(asking).rejects.toThrow(NoAnswer)
    await expect(asking).rejects.toThrow(problem)
  })

  test('a query that is aborted while its socket connects sends nothing', async () => {
    const stop = new AbortController()
    const asking = patientStubFor(fake)(NAME, A, stop.signal)
    process.nextTick(() => process.nextTick(() => stop.abort()))
    await expect(asking).rejects.toThrow('stopped')
    expect(fake.asked).toEqual([])
  })
})

describe('packets that are skipped until the answer arrives', () => {
  const wrong: readonly (readonly [string, (query: FakeQuery) => Uint8Array])[] = [
    ['another id', (query) => altered(evil(query), (o) => (o[1] = (o[1] ?? 0) ^ 1))],
    ['a query', (query) => altered(evil(query), (o) => (o[2] = (o[2] ?? 0) & 0x7f))],
    ['another opcode', (query) => altered(evil(query), (o) => (o[2] = (o[2] ?? 0) | 0x20))],
    ['no question', (query) => altered(evil(query), (o) => (o[5] = 0))],
    ['two questions', (query) => altered(evil(query), (o) => (o[5] = 2))],
    ['another name', (query) => altered(evil(query), (o) => (o[13] = 0x78))],
    ['another type', (query) => altered(evil(query), (o) => (o[12 + questionOctets(o) - 3] = 28))],
    ['another class', (query) => altered(evil(query), (o) => (o[12 + questionOctets(o) - 1] = 3))],
    ['cut in the header', (query) => evil(query).subarray(0, 9)],
    ['cut in the answer', (query) => evil(query).subarray(0, -2)],
    ['octets after the end', (query) => Buffer.concat([evil(query), Buffer.from([0])])],
    ['nothing', () => new Uint8Array(0)],
    ['noise', () => Uint8Array.from({ length: 200 }, (_, i) => (i * 37) & 0xff)],
  ]
  test.each(wrong)('%s', async (_, packet) => {
    fake.answer = (query) => [packet(query), good(query)]
    expect(addresses(await ask())).toEqual(['192.0.2.1'])
    expect(fake.asked).toEqual(['udp www.example.net A'])
  })

  test('the right answer from another port', async () => {
    const forger = createSocket('udp4')
    let port = 0
    fake.answer = (query) => {
      port = [...fake.ports].at(-1) ?? 0
      forger.send(evil(query), port, '127.0.0.1')
      setTimeout(() => {
        fake.answer = silence
      }, 0)
      return []
    }
    const asking = ask()
    await expect(asking).rejects.toThrow(NoAnswer)
    expect(port).toBeGreaterThan(0)
    await new Promise<void>((done) => forger.close(() => done()))
  })

  test('a flood of guesses repeats the query over TCP', async () => {
    fake.answer = (query) => {
      if (query.transport === 'tcp') return [good(query)]
      return Array.from({ length: limits.wrongReplies + 1 }, (_, i) =>
        altered(evil(query), (o) => (o[0] = (o[0] ?? 0) ^ (i + 1))),
      )
    }
    expect(addresses(await ask())).toEqual(['192.0.2.1'])
    expect(fake.asked).toEqual(['udp www.example.net A', 'tcp www.example.net A'])
  })

  test('as many wrong packets as may be skipped do not', async () => {
    fake.answer = (query) => [
      ...Array.from({ length: limits.wrongReplies }, () =>
        altered(evil(query), (o) => (o[0] = (o[0] ?? 0) ^ 1)),
      ),
      good(query),
    ]
    expect(addresses(await ask())).toEqual(['192.0.2.1'])
    expect(fake.asked).toEqual(['udp www.example.net A'])
  })
})

describe('TCP', () => {
  test('is used after a truncated answer', async () => {
    fake.answer = (query) =>
      query.transport === 'tcp'
        ? [good(query)]
        : [replyTo(query, ['www.example.net 9 A 203.0.113.9'], { tc: true })]
    expect(addresses(await ask())).toEqual(['192.0.2.1'])
    expect(fake.asked).toEqual(['udp www.example.net A', 'tcp www.example.net A'])
  })

  test('is used after an answer whose question is spelled differently', async () => {
    const folded = (query: FakeQuery) =>
      altered(query.transport === 'tcp' ? good(query) : evil(query), (octets) => {
        for (let at = 13; at < 28; at += 1) {
          const octet = octets[at] ?? 0
          if (octet >= 0x41 && octet <= 0x5a) octets[at] = octet | 0x20
        }
      })
    fake.answer = (query) => [folded(query)]
    expect(addresses(await ask())).toEqual(['192.0.2.1'])
    expect(fake.asked).toEqual(['udp www.example.net A', 'tcp www.example.net A'])
  })

  test('truncated there too, or with another id: no answer', async () => {
    const truncated = (query: FakeQuery) => replyTo(query, [], { tc: true })
    fake.answer = (query) => [truncated(query)]
    await expect(ask()).rejects.toThrow(NoAnswer)
    fake.answer = (query) =>
      query.transport === 'udp' ? [truncated(query)] : [altered(evil(query), (o) => (o[1] = (o[1] ?? 0) ^ 1))]
    await expect(ask()).rejects.toThrow(NoAnswer)
  })
})

describe('servers', () => {
  test('waiting ends after the last attempt', async () => {
    await expect(ask()).rejects.toMatchObject({ heard: false })
    expect(fake.asked).toHaveLength(limits.attempts)
  })

  test.each([
    ['SERVFAIL', 2],
    ['REFUSED', 5],
  ])(
    'after %s the next server is queried, and the one that answered is preferred from then on',
    async (_, rcode) => {
      const other = await startFakeResolver((query) => [replyTo(query, [], { rcode })])
      fake.answer = (query) => [good(query)]
      const stub = stubFor(other, fake)
      const signal = new AbortController().signal
      expect(addresses(await stub(NAME, A, signal))).toEqual(['192.0.2.1'])
      expect(addresses(await stub(NAME, A, signal))).toEqual(['192.0.2.1'])
      expect([other.asked.length, fake.asked.length]).toEqual([1, 2])
      await other.close()
    },
  )

  test('if all fail there is no answer, but they were heard', async () => {
    fake.answer = (query) => [replyTo(query, [], { rcode: 2 })]
    await expect(ask()).rejects.toMatchObject({ name: 'NoAnswer', heard: true })
  })

  test('a server without EDNS support is queried without it', async () => {
    fake.answer = (query) =>
      query.message.edns === undefined ? [good(query)] : [replyTo(query, [], { rcode: 1 })]
    expect(addresses(await ask())).toEqual(['192.0.2.1'])
  })

  test('a closed port fails without waiting', async () => {
    const gone = await startFakeResolver(silence)
    await gone.close()
    const patient = patientStubFor(gone)
    await expect(patient(NAME, A, new AbortController().signal)).rejects.toThrow(NoAnswer)
  })

  test('aborting ends a query at once', async () => {
    const stopping = new AbortController()
    const patient = patientStubFor(fake)
    const asking = patient(NAME, A, stopping.signal)
    stopping.abort()
    await expect(asking).rejects.toThrow(NoAnswer)
    await expect(patient(NAME, A, stopping.signal)).rejects.toThrow(NoAnswer)
    expect(fake.asked.length).toBeLessThan(2)
  })
})

describe('reading answers', () => {
  const cases: readonly (readonly [string, FakeAnswers, object])[] = [
    ['addresses', (query) => [good(query)], { links: [], ttlSeconds: 120, isOpen: false }],
    [
      'a chain, with its lowest TTL, in any order',
      (query) => [
        replyTo(query, [
          'b.example.org 90 A 192.0.2.7',
          'a.example.org 40 CNAME b.example.org',
          'www.example.net 500 CNAME a.example.org',
        ]),
      ],
      {
        links: [
          { target: 'a.example.org', ttlSeconds: 500 },
          { target: 'b.example.org', ttlSeconds: 40 },
        ],
        rdatas: [Uint8Array.of(192, 0, 2, 7)],
        ttlSeconds: 40,
        isOpen: false,
      },
    ],
    [
      'records that the question does not lead to are ignored',
      (query) => [
        replyTo(query, ['www.example.org 9 A 203.0.113.66', 'evil.example 9 CNAME x.example', ...GOOD]),
      ],
      { links: [], rdatas: [Uint8Array.of(192, 0, 2, 1)], ttlSeconds: 120 },
    ],
    [
      'a chain that continues elsewhere',
      (query) => [replyTo(query, ['www.example.net 500 CNAME a.example.org'])],
      { rdatas: [], ttlSeconds: 500, isOpen: true },
    ],
    [
      'a chain that ends without data',
      (query) => [replyTo(query, ['www.example.net 500 CNAME a.example.org'], { soa: 30 })],
      { rdatas: [], ttlSeconds: 30, isOpen: false },
    ],
    ['no such name', fromTable({}), { links: [], rdatas: [], ttlSeconds: 60, isOpen: false }],
    ['no such data', fromTable({ 'www.example.net MX': [] }), { rdatas: [], ttlSeconds: 60, isOpen: false }],
    ['a negative answer without an SOA', (query) => [replyTo(query, [])], { rdatas: [], ttlSeconds: 0 }],
    [
      'a TTL with the highest bit set is 0',
      (query) => [replyTo(query, ['www.example.net 4294967295 A 192.0.2.1'])],
      { ttlSeconds: 0 },
    ],
  ]
  test.each(cases)('%s', async (_, answers, expected) => {
    fake.answer = answers
    expect(await ask()).toMatchObject(expected)
  })

  test('a circular chain is no answer', async () => {
    fake.answer = (query) => [
      replyTo(query, ['www.example.net 9 CNAME a.example.org', 'a.example.org 9 CNAME www.example.net']),
    ]
    await expect(ask()).rejects.toMatchObject({ heard: true })
  })
  test('over TCP only', async () => {
    fake.answer = overTcp
    await expect(ask()).rejects.toThrow(NoAnswer)
    expect(fake.asked.every((text) => text.startsWith('udp'))).toBe(true)
  })
})
