// Which messages are more than a question for data.
import {
  createTsigSigner,
  encodeMessage,
  type Message,
  octetsFromLatin1,
  OPCODE,
  parseName,
  plainMessage,
  typeCode,
} from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { needsMessageHandler } from './message-handler.ts'

const message = (changes: Partial<Message> & { readonly type?: string } = {}): Message => {
  const { type = 'A', ...rest } = changes
  return plainMessage({
    id: 1,
    questions: [{ name: parseName('example.com'), type: typeCode(type) ?? 0, class: 1 }],
    ...rest,
  })
}
const edns = (...codes: number[]) => ({
  udpPayloadSize: 1232,
  version: 0,
  dnssecOk: false,
  options: codes.map((code) => ({ code, data: new Uint8Array(code === 10 ? 8 : 0) })),
})
const key = { name: parseName('key'), algorithm: 'hmac-sha256', secret: octetsFromLatin1('x') } as const
const sign = (plain: Message) =>
  createTsigSigner(key, { hmac: () => new Uint8Array(32) }).sign(encodeMessage(plain), 1)
const record = { name: parseName('example.com'), type: 1, class: 1, ttl: 0, rdata: new Uint8Array(4) }

test.each<[name: string, octets: Uint8Array, expected: boolean]>([
  ['a question', encodeMessage(message()), false],
  ['a question with EDNS', encodeMessage(message({ edns: edns() })), false],
  ['a question for an SOA, with a cookie', encodeMessage(message({ type: 'SOA', edns: edns(10) })), false],
  ['a query with EXPIRE', encodeMessage(message({ type: 'SOA', edns: edns(10, 9) })), true],
  ['EXPIRE without an SOA question', encodeMessage(message({ edns: edns(9) })), false],
  ['AXFR', encodeMessage(message({ type: 'AXFR' })), true],
  ['IXFR with its SOA', encodeMessage(message({ type: 'IXFR', authorities: [record] })), true],
  ['a signed question', sign(message()), true],
  ['a signed question with EDNS', sign(message({ edns: edns(10) })), true],
  [
    'a signature in a wrong place, which is malformed and not unsigned',
    encodeMessage(message({ additionals: [{ ...record, type: 250, class: 255 }, record] })),
    true,
  ],
  ['a question with some other record', encodeMessage(message({ additionals: [record] })), false],
  ['a notification', encodeMessage(message({ type: 'SOA', opcode: OPCODE.NOTIFY })), true],
  [
    'an answer to a notification',
    encodeMessage(message({ type: 'SOA', opcode: OPCODE.NOTIFY, qr: true })),
    false,
  ],
  ['an update', encodeMessage(message({ type: 'SOA', opcode: OPCODE.UPDATE })), false],
  [
    'two questions',
    encodeMessage(message({ questions: [...message().questions, ...message().questions] })),
    false,
  ],
  ['less than a header', new Uint8Array(11), false],
])('%s', (_, octets, expected) => {
  expect(needsMessageHandler(octets, octets.length)).toBe(expected)
})

test('reads no octet behind the end, and never throws', () => {
  const whole = sign(message({ type: 'SOA', edns: edns(9, 10) }))
  expect(needsMessageHandler(whole, whole.length)).toBe(true)
  for (let length = 0; length < whole.length; length += 1) {
    // The buffer behind the end of a packet holds octets of other packets.
    expect(needsMessageHandler(whole, length)).toBe(needsMessageHandler(whole.slice(0, length), length))
  }
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 80 }), (octets) => {
      expect(typeof needsMessageHandler(octets, octets.length)).toBe('boolean')
    }),
  )
})
