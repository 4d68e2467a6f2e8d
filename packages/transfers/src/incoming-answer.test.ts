// The reader of transfers compared with another parser, and whole conversations that are modified in transit.
import {
  CLASS,
  encodeRdata,
  parseName,
  plainMessage,
  rdataTextByCode,
  serialAfter,
  typeCode,
  type Message,
  type ResourceRecord,
} from '@zonereeve/dns'
import { createAnswerReader, TransferFault, type ReceivedTransfer } from '@zonereeve/nameserver'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '@zonereeve/platform'
import { startScriptedPrimary, type Script, type ScriptedPrimary } from './scripted-primary.cases.ts'
import { HOST, KEY, NOW } from './asking.cases.ts'
import { hmac } from './hmac.ts'
import { converse, PRIMARY_LIMITS } from './primary.ts'

const APEX = parseName('followed.example')
const ID = 7

/** A record in short form: `S11` an SOA with that serial, `d3` data, `o1` data of another zone. */
type Token = string

function recordOf(token: Token): ResourceRecord {
  const value = Number(token.slice(1))
  const host = parseName(token.startsWith('o') ? 'www.other.example' : `h${value}.${APEX}`)
  const times = { refresh: 1, retry: 1, expire: 1, minimum: 1 }
  if (!token.startsWith('S'))
    return {
      name: host,
      type: typeCode('A') ?? 0,
      class: CLASS.IN,
      ttl: 60,
      rdata: Uint8Array.of(10, 0, 0, value),
    }
  const rdata = encodeRdata('SOA', { mname: APEX, rname: APEX, serial: value, ...times })
  return { name: APEX, type: 6, class: CLASS.IN, ttl: 60, rdata }
}

const messageOf = (tokens: readonly Token[]): Message =>
  plainMessage({ id: ID, qr: true, aa: true, answers: tokens.map(recordOf) })

const tokenOf = ({ name }: { readonly name: string }): Token => `d${/^h(\d+)/.exec(name)?.[1] ?? ''}`

/** The reader's result in short form: the serial and the parts, `fault`, or `more`. */
function read(messages: readonly (readonly Token[])[], fromSerial: number | undefined): string {
  const reader = createAnswerReader({ id: ID, apex: APEX, fromSerial }, PRIMARY_LIMITS)
  try {
    for (const tokens of messages) {
      const received = reader.take(messageOf(tokens), 1)
      if (received !== undefined) return describeTransfer(received)
    }
  } catch (error) {
    if (!(error instanceof TransferFault)) throw error
    expect(error.message).not.toBe('')
    return 'fault'
  }
  return 'more'
}

function describeTransfer(received: ReceivedTransfer): string {
  if (received.kind === 'current') return 'current'
  const { contents, soa } = received
  if (contents.kind === 'whole') return `${soa.serial}: ${contents.records.map(tokenOf).join(' ')}`
  const steps = contents.steps.map(
    ({ removed, added }) => `-${removed.map(tokenOf).join()} +${added.map(tokenOf).join()}`,
  )
  return `${soa.serial}: ${steps.join(' ')}`
}

/** The same, parsed from the shape of the whole stream. `from`: the serial of the IXFR. */
function readByShape(stream: readonly Token[], from: number | undefined): string {
  const text = stream.join(' ')
  const whole = /^S(\d+)((?: d\d+)*) S\1$/.exec(text)
  if (whole !== null) return `${whole[1]}: ${(whole[2] ?? '').trim()}`
  const [, last = ''] = /^S(\d+)/.exec(text) ?? []
  if (/^S\d+$/.test(text) && from !== undefined && !serialAfter(Number(last), from)) return 'current'
  // SOA, then pairs of removed records after an old SOA and added records after a new one, then the SOA again.
  if (!/^S\d+(?: S\d+(?: d\d+)* S\d+(?: d\d+)*)+ S\d+$/.test(text) || from === undefined) return 'no zone'
  const parts = text.split(/ (?=S)/).map((part) => ({
    serial: Number(/^S(\d+)/.exec(part)?.[1]),
    data: part.split(' ').slice(1).join(),
  }))
  const inner = parts.slice(1, -1)
  const steps = inner.flatMap((removed, at) =>
    at % 2 === 0 ? [{ removed, added: inner[at + 1] ?? removed }] : [],
  )
  const joins = steps.every(({ removed, added }, at) => {
    const before = at === 0 ? from : steps[at - 1]?.added.serial
    return removed.serial === before && serialAfter(added.serial, removed.serial)
  })
  const isWhole = steps.findIndex(({ added }) => added.serial === Number(last)) === steps.length - 1
  if (!joins || !isWhole || parts.at(-1)?.serial !== Number(last)) return 'no zone'
  return `${last}: ${steps.map(({ removed, added }) => `-${removed.data} +${added.data}`).join(' ')}`
}

const data = fc.array(
  fc.integer({ min: 1, max: 9 }).map((value) => `d${value}`),
  { maxLength: 4 },
)
const serial = fc.oneof(
  fc.constantFrom(1, 0xffff_fffe, 0x7fff_ffff, 0x8000_0000),
  fc.integer({ min: 0, max: 0xffff_ffff }),
)
/** Increasing serials, also across the wraparound (RFC 1982). */
const serials = fc
  .tuple(serial, fc.array(fc.constantFrom(1, 2, 0x1000_0000), { minLength: 1, maxLength: 4 }))
  .map(([first, deltas]) =>
    deltas.reduce((all, delta) => [...all, ((all.at(-1) ?? 0) + delta) % 2 ** 32], [first]),
  )
interface SentTransfer {
  readonly from: number
  readonly stream: readonly Token[]
}
const whole: fc.Arbitrary<SentTransfer> = fc.tuple(serials, data).map(([[from = 0, ...later], records]) => {
  return { from, stream: [`S${later.at(-1)}`, ...records, `S${later.at(-1)}`] }
})
const difference: fc.Arbitrary<SentTransfer> = fc
  .tuple(serials, fc.array(fc.tuple(data, data), { minLength: 4, maxLength: 4 }))
  .map(([all, changes]) => {
    const steps = all.slice(1).flatMap((after, at) => {
      const [removed = [], added = []] = changes[at] ?? []
      return [`S${all[at]}`, ...removed, `S${after}`, ...added]
    })
    return { from: all[0] ?? 0, stream: [`S${all.at(-1)}`, ...steps, `S${all.at(-1)}`] }
  })
const sent = fc.oneof(whole, difference)

/** Possible modifications of a stream. */
const change = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut', 'drop', 'double', 'swap'), at: fc.nat(), to: fc.nat() }),
  fc.record({
    kind: fc.constant('put'),
    at: fc.nat(),
    to: fc.nat(),
    token: fc.constantFrom('d5', 'o1', 'S1', 'S9'),
  }),
)
function changed(stream: readonly Token[], { kind, at, to, ...rest }: Change): readonly Token[] {
  const [i, j] = [at % stream.length, to % stream.length]
  if (kind === 'cut') return stream.slice(0, i)
  if (kind === 'drop') return stream.toSpliced(i, 1)
  if (kind === 'double') return stream.toSpliced(j, 0, stream[i] ?? '')
  if (kind === 'put') return stream.toSpliced(i, 0, rest.token ?? '')
  return stream.with(i, stream[j] ?? '').with(j, stream[i] ?? '')
}
interface Change {
  readonly kind: string
  readonly at: number
  readonly to: number
  readonly token?: Token
}

/** Splits a stream into messages of one or more records. */
function inMessages(stream: readonly Token[], sizes: readonly number[]): Token[][] {
  const messages: Token[][] = []
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    messages.push(stream.slice(at, at + size))
    at += size
  }
  return messages
}
const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 })

describe('any stream', () => {
  test('that is valid is read correctly, however it is split into messages', () => {
    fc.assert(
      fc.property(sent, sizes, ({ from, stream }, cuts) => {
        const expected = readByShape(stream, from)
        expect(expected).not.toBe('no zone')
        expect(read(inMessages(stream, cuts), from)).toBe(expected)
      }),
    )
  })

  test('that was modified is read as what it is now, or rejected', () => {
    fc.assert(
      fc.property(
        sent,
        fc.array(change, { minLength: 1, maxLength: 3 }),
        sizes,
        ({ from, stream }, changes, cuts) => {
          const now = changes.reduce<readonly Token[]>(
            (tokens, each) => (tokens.length === 0 ? tokens : changed(tokens, each)),
            stream,
          )
          // In one message: with several, records after the end are not read.
          const outcome = read(now.length === 0 ? [] : [now], from)
          const expected = readByShape(now, from)
          if (expected === 'no zone') expect(['fault', 'more']).toContain(outcome)
          else expect(outcome).toBe(expected)
          const inParts = read(inMessages(now, cuts), from)
          if (inParts !== 'fault' && inParts !== 'more') expect(beginningsOf(now, from)).toContain(inParts)
        },
      ),
      { numRuns: 500 },
    )
  })

  /** Results of the stream's prefixes: a client stops reading at the end of a zone. */
  function beginningsOf(stream: readonly Token[], from: number): readonly string[] {
    return stream.map((_, at) => readByShape(stream.slice(0, at + 1), from))
  }
})

describe('a signed transfer', () => {
  const zone = (count: number): string[] => [
    `${APEX} 60 NS ns.${APEX}.`,
    ...Array.from({ length: count }, (_, i) => `h${i}.${APEX} 60 A 10.0.0.${i % 256}`),
  ]
  /** Records of consecutive messages. */
  const messages = [['SOA 2', ...zone(3)], zone(9).slice(4), [`x.${APEX} 60 TXT "end"`, 'SOA 2']]
  const expected = messages.flat().filter((line) => !line.startsWith('SOA'))
  let primary: ScriptedPrimary
  const clock = manualClock(NOW)
  beforeAll(async () => {
    primary = await startScriptedPrimary(
      { apex: APEX, hmac, nowSeconds: () => NOW / 1000 },
      { serial: 2, key: KEY, axfr: messages },
    )
  })
  afterAll(() => primary.close())

  /** The received records, or the failure. */
  async function transfer(script: Partial<Script>): Promise<readonly string[] | Error> {
    primary.script = { serial: 2, key: KEY, axfr: messages, cuts: true, ...script }
    const conversation = converse({
      peer: { id: 'peer', address: HOST, port: primary.port, key: KEY },
      apex: APEX,
      clock,
      limits: PRIMARY_LIMITS,
      signal: new AbortController().signal,
    })
    try {
      const received = await conversation.transfer(undefined)
      if (received.kind !== 'zone' || received.contents.kind !== 'whole') throw new Error('another form')
      return received.contents.records.map(
        ({ name, ttlSeconds, type, rdata }) =>
          `${name} ${ttlSeconds} ${type === 2 ? 'NS' : type === 1 ? 'A' : 'TXT'} ${rdataTextByCode(type, rdata)}`,
      )
    } catch (error) {
      if (error instanceof Error) return error
      throw error
    } finally {
      conversation.close()
    }
  }

  const lines = (count: number): string[][] => [
    ['SOA 2', ...zone(1)],
    ...Array.from({ length: count }, (_, i) => [`n${i}.${APEX} 60 TXT "one"`]),
    ['SOA 2'],
  ]
  test.each([
    ['every message signed', { signsEvery: 1 }, expected.length],
    ['every second one', { signsEvery: 2 }, expected.length],
    ['only the first and the last', { signsEvery: 100 }, expected.length],
    ['99 unsigned ones between two signatures', { axfr: lines(99), signsEvery: 1_000 }, 101],
  ])('is accepted with %s (RFC 8945 §5.3.1)', async (_, script, count) => {
    expect(await transfer(script)).toHaveLength(count)
  })

  const other = { ...KEY, secret: new Uint8Array(32) }
  test.each<[name: string, script: Partial<Script>, problem: RegExp]>([
    ['100 unsigned ones', { axfr: lines(100), signsEvery: 1_000 }, /not signed/],
    ['a middle message signed with another secret', { mangle: withMiddle(resigned) }, /signature .* wrong/],
    ['a modified middle message', { mangle: withMiddle(flipped) }, /signature .* wrong|malformed|not/],
    ['a modified unsigned middle message', { signsEvery: 2, mangle: withMiddle(flipped) }, /wrong/],
    [
      'a middle message left out',
      { mangle: ([a, , c]) => [a, c].filter((each) => each !== undefined) },
      /wrong/,
    ],
    [
      'two messages swapped',
      { mangle: ([a, b, c]) => [a, c, b].filter((each) => each !== undefined) },
      /wrong/,
    ],
    ['all signed by another key', { key: other }, /wrong/],
  ])('is rejected with %s', async (_, script, problem) => {
    const outcome = await transfer(script)
    expect(outcome).toBeInstanceOf(Error)
    expect(String(outcome)).toMatch(problem)
  })

  function withMiddle(change: (message: Uint8Array) => Uint8Array): NonNullable<Script['mangle']> {
    return (all) => all.map((message, at) => (at === 1 ? change(message) : message))
  }
  /** Changes the address of a record; the message stays well-formed. */
  function flipped(message: Uint8Array): Uint8Array {
    const at = Buffer.from(message).indexOf(Buffer.of(10, 0, 0, 5)) + 3
    return message.with(at, 99)
  }
  /** Changes the last octet of the MAC, which is followed by id, error and an empty length. */
  function resigned(message: Uint8Array): Uint8Array {
    const at = message.length - 7
    return message.with(at, (message[at] ?? 0) ^ 1)
  }

  test('with any octet changed, or any message cut, doubled or moved, gives the zone or nothing', async () => {
    const kinds = fc.constantFrom('octet', 'cut', 'double', 'move', 'drop')
    let refused = 0
    await fc.assert(
      fc.asyncProperty(
        kinds,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom(1, 2),
        async (kind, which, where, mask, signsEvery) => {
          const outcome = await transfer({
            signsEvery,
            mangle: (all) => mangled(all, { kind, which: which % all.length, where, mask }),
          })
          if (outcome instanceof Error) refused += 1
          else expect(outcome).toEqual(expected)
        },
      ),
      { numRuns: 150 },
    )
    expect(refused).toBeGreaterThan(0)
  })

  function mangled(
    all: readonly Uint8Array[],
    { kind, which, where, mask }: { kind: string; which: number; where: number; mask: number },
  ): readonly Uint8Array[] {
    const message = all[which] ?? new Uint8Array()
    const at = where % message.length
    if (kind === 'octet') return all.with(which, message.with(at, (message[at] ?? 0) ^ mask))
    if (kind === 'cut') return all.with(which, message.subarray(0, at))
    if (kind === 'double') return all.toSpliced(which, 0, message)
    if (kind === 'drop') return all.toSpliced(which, 1)
    return all.toSpliced(which, 1).toSpliced(where % all.length, 0, message)
  }
})
