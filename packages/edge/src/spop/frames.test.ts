// The codec of SPOP: round trips, the same octets as a second codec, and arbitrary octets.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeFrame,
  decodeMessages,
  decodePairs,
  encodeVariables,
  type SpopFrame,
  writeFrame,
} from './frames.ts'
import {
  frameOctets,
  framesIn,
  headersOctets,
  integerOctets,
  messagesOctets,
  pairsOctets,
  sentVariables,
  valueOctets,
} from './second-codec.cases.ts'
import {
  encodeInteger,
  encodePairs,
  encodeValue,
  OctetReader,
  OctetWriter,
  SpopError,
  type SpopValue,
} from './values.ts'

const octet = fc.integer({ min: 0, max: 255 })
const text = fc.array(octet, { maxLength: 300 }).map((octets) => String.fromCharCode(...octets))
const name = fc.array(octet, { minLength: 1, maxLength: 20 }).map((all) => String.fromCharCode(...all))
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const value: fc.Arbitrary<SpopValue> = fc.oneof(
  fc.constant({ type: 'null' } as const),
  fc.record({ type: fc.constant('boolean' as const), value: fc.boolean() }),
  fc.record({
    type: fc.constant('int32' as const),
    value: fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n }),
  }),
  fc.record({ type: fc.constant('uint32' as const), value: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }) }),
  fc.record({
    type: fc.constant('int64' as const),
    value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  }),
  fc.record({ type: fc.constant('uint64' as const), value: u64 }),
  fc.record({ type: fc.constant('ipv4' as const), value: bytes(4) }),
  fc.record({ type: fc.constant('ipv6' as const), value: bytes(16) }),
  fc.record({ type: fc.constant('string' as const), value: text }),
  fc.record({ type: fc.constant('binary' as const), value: fc.uint8Array({ maxLength: 300 }) }),
)
/** Buffers and arrays of octets are the same here. */
const plain = (one: SpopValue): unknown =>
  'value' in one && one.value instanceof Uint8Array ? { ...one, value: [...one.value] } : one
const pairs = fc.uniqueArray(fc.tuple(name, value), { maxLength: 8, selector: ([one]) => one })

describe('integers', () => {
  // Both ends of each row of the table.
  test.each([
    [0n, 1],
    [239n, 1],
    [240n, 2],
    [2_287n, 2],
    [2_288n, 3],
    [264_431n, 3],
    [264_432n, 4],
    [33_818_863n, 4],
    [33_818_864n, 5],
    [4_328_786_159n, 5],
    [4_328_786_160n, 6],
    [554_084_600_047n, 6],
    [554_084_600_048n, 7],
    [2n ** 46n - 1n, 7],
    [2n ** 46n + 1n, 7],
    [2n ** 53n - 1n, 8],
    [2n ** 53n, 8],
    [2n ** 53n + 1n, 8],
    [2n ** 64n - 1n, 10],
  ])('%d has %i octets', (integer, length) => {
    expect(encodeInteger(integer)).toHaveLength(length)
    expect([...encodeInteger(integer)]).toEqual(integerOctets(integer))
    expect(new OctetReader(encodeInteger(integer)).integer()).toBe(integer)
  })

  test('are the same in both codecs', () => {
    fc.assert(
      fc.property(fc.oneof(u64, fc.bigInt({ min: 0n, max: 300_000n })), (integer) => {
        expect([...encodeInteger(integer)]).toEqual(integerOctets(integer))
        expect(new OctetReader(encodeInteger(integer)).integer()).toBe(integer)
      }),
    )
  })

  test.each([
    ['2^64', [0xf0, 0xf1, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0x0f]],
    ['never ends', Array.from({ length: 40 }, () => 0xff)],
    ['ends too early', [0xf0]],
  ])('%s is refused', (_, octets) => {
    expect(() => new OctetReader(Buffer.from(octets)).integer()).toThrow(SpopError)
  })
})

describe('values, messages and headers', () => {
  test('are read as both codecs write them', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect([...encodeValue(one)]).toEqual(valueOctets(one))
        expect(plain(new OctetReader(encodeValue(one)).value())).toEqual(plain(one))
      }),
    )
    fc.assert(
      fc.property(pairs, (list) => {
        expect([...encodePairs(list)]).toEqual(pairsOctets(list))
        const read = decodePairs(encodePairs(list))
        expect([...read].map(([key, one]) => [key, plain(one)])).toEqual(
          list.map(([key, one]) => [key, plain(one)]),
        )
      }),
    )
  })

  // Where a length needs another octet.
  test.each([0, 239, 240, 241, 2_287, 2_288, 2_289, 5_000])(
    'strings and octets of a length of %i are read as both codecs write them',
    (length) => {
      const long = Array.from({ length }, (_, i) => String.fromCharCode(i % 256)).join('')
      const strings: readonly SpopValue[] = [
        { type: 'string', value: long },
        { type: 'binary', value: Buffer.from(long, 'latin1') },
      ]
      for (const one of strings) {
        expect([...encodeValue(one)]).toEqual(valueOctets(one))
        expect(plain(new OctetReader(encodeValue(one)).value())).toEqual(plain(one))
        const pair = [[`${long}!`, one]] as const
        expect([...encodePairs(pair)]).toEqual(pairsOctets(pair))
        expect([...decodePairs(encodePairs(pair))].map(([key, read]) => [key, plain(read)])).toEqual([
          [`${long}!`, plain(one)],
        ])
      }
      const lines = [[`${long}!`, long]] as const
      expect(new OctetReader(Buffer.from(headersOctets(lines))).headerLines()).toEqual(lines)
      const encoded = encodeVariables([[`${long}!`, { type: 'string', value: long }]])
      expect(sentVariables([...encoded])).toEqual({ [`${long}!`]: long })
    },
  )

  test('messages are read as the second codec writes them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, pairs), { maxLength: 4 }), (messages) => {
        const read = decodeMessages(Buffer.from(messagesOctets(messages)))
        const found = read.map((message) => [
          message.name,
          [...message.args].map(([key, one]) => [key, plain(one)]),
        ])
        expect(found).toEqual(
          messages.map(([key, args]) => [key, args.map(([arg, one]) => [arg, plain(one)])]),
        )
      }),
    )
  })

  test('header lines are read as the second codec writes them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text), { maxLength: 10 }), (lines) => {
        expect(new OctetReader(Buffer.from(headersOctets(lines))).headerLines()).toEqual(lines)
      }),
    )
  })

  test('variables are read by the second codec', () => {
    const sent = fc.uniqueArray(fc.tuple(name, text), { maxLength: 6, selector: ([one]) => one })
    fc.assert(
      fc.property(sent, (list) => {
        const encoded = encodeVariables(list.map(([key, one]) => [key, { type: 'string', value: one }]))
        expect(new Map(Object.entries(sentVariables([...encoded])))).toEqual(new Map(list))
      }),
    )
  })
})

describe('frames', () => {
  const frame = fc.record({
    type: fc.constantFrom(1, 2, 3, 101, 102, 103),
    isAborted: fc.boolean(),
    streamId: u64,
    frameId: u64,
    payload: fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.from(octets)),
  })

  const octetsOf = (...frames: readonly SpopFrame[]): Buffer => {
    const writer = new OctetWriter()
    for (const one of frames) writeFrame(writer, one)
    return writer.finish()
  }

  test('one writer has many, without one that is taken back, and is empty afterwards', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.array(frame, { maxLength: 6 }), (before, after) => {
        const writer = new OctetWriter()
        for (const one of before) {
          expect(writeFrame(writer, one)).toBe(octetsOf(one).length - 4)
          const { length } = writer
          writeFrame(writer, one)
          writer.truncate(length)
        }
        const first = writer.finish()
        for (const one of after) writeFrame(writer, one)
        const second = writer.finish()
        expect(writer.length).toBe(0)
        expect(first).toEqual(octetsOf(...before))
        expect(second).toEqual(octetsOf(...after))
      }),
    )
  })

  test('come back as they were, and are the same in both codecs', () => {
    fc.assert(
      fc.property(frame, (one) => {
        const encoded = octetsOf(one)
        expect(decodeFrame(encoded.subarray(4))).toEqual(one)
        const { type, isAborted, streamId, frameId, payload } = one
        const flags = isAborted ? 3 : 1
        expect([...encoded]).toEqual(frameOctets(type, flags, [streamId, frameId], [...payload]))
        expect(framesIn([...encoded])).toEqual({
          frames: [{ type, flags, ids: [streamId, frameId], payload: [...payload] }],
          rest: [],
        })
      }),
    )
  })

  test.each([
    ['the first fragment', 3, 0],
    ['a later fragment', 0, 0],
    ['the last fragment', 0, 1],
  ])('%s is refused by name', (_, type, flags) => {
    const octets = Buffer.from(frameOctets(type, flags, [1n, 1n], [])).subarray(4)
    expect(() => decodeFrame(octets)).toThrow('fragmentation of payloads is not supported')
  })

  test('arbitrary octets are read or refused, and nothing else happens', () => {
    const refuses = (read: () => unknown): boolean => {
      try {
        read()
        return false
      } catch (error) {
        expect(error).toBeInstanceOf(SpopError)
        return true
      }
    }
    let readable = 0
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (octets) => {
        const buffer = Buffer.from(octets)
        for (const read of [decodeFrame, decodeMessages, decodePairs])
          if (!refuses(() => read(buffer))) readable += 1
        refuses(() => new OctetReader(buffer).headerLines())
      }),
      { numRuns: 3_000 },
    )
    expect(readable).toBeGreaterThan(0)
  })

  test('a frame that ends anywhere too early is refused', () => {
    const payload = messagesOctets([
      [
        'message',
        [
          ['a', { type: 'string', value: 'text' }],
          ['b', { type: 'ipv4', value: Buffer.of(192, 0, 2, 1) }],
        ],
      ],
    ])
    for (let end = 1; end < payload.length; end += 1)
      expect(() => decodeMessages(Buffer.from(payload.slice(0, end)))).toThrow(SpopError)
    expect(decodeMessages(Buffer.from(payload))).toHaveLength(1)
  })
})
