import { decodeMessage, encodeMessage, rcodeText } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Log } from './log.ts'
import { answerTo, client, decoded, opt, queryOf, seen, zoneOf } from './asking.cases.ts'
import type { QueryOptions } from './asking.cases.ts'
import {
  createZoneTable,
  DEFAULT_LIMITS,
  type DropReason,
  type NameserverMetrics,
  type Transport,
} from './index.ts'
import { createResponder } from './responder.ts'

const longText = (octets: number): string => `"${'x'.repeat(octets)}"`
const ZONE = zoneOf(
  'example.com',
  `
  www     300 A     192.0.2.1
  *.wild  300 A     192.0.2.2
  alias   300 CNAME www
  sub     300 NS    ns.sub
  ns.sub  300 A     192.0.2.53
  t400    300 TXT   ${longText(200)} ${longText(198)}
  t900    300 TXT   ${[1, 2, 3, 4].map(() => longText(224)).join(' ')}
  t1300   300 TXT   ${[1, 2, 3, 4, 5, 6].map(() => longText(215)).join(' ')}
  ${Array.from({ length: 8 }, (_, i) => `mx 300 MX ${i} mail-server-${i}`).join('\n')}
  ${Array.from({ length: 8 }, (_, i) => `mail-server-${i} 300 A 192.0.2.${i}\nmail-server-${i} 300 AAAA 2001:db8::${i}`).join('\n')}
  ${Array.from({ length: 10 }, (_, i) => `glued 300 NS a-long-server-name-${i}.glued`).join('\n')}
  ${Array.from({ length: 10 }, (_, i) => `a-long-server-name-${i}.glued 300 A 192.0.2.${i}`).join('\n')}
  own     300 NS    own
  ${Array.from({ length: 40 }, (_, i) => `own 300 A 192.0.2.${i}`).join('\n')}
  ${Array.from({ length: 10 }, (_, i) => `sibling 300 NS a-long-server-name-${i}.beside`).join('\n')}
  ${Array.from({ length: 10 }, (_, i) => `a-long-server-name-${i}.beside 300 A 192.0.2.${i}`).join('\n')}
  `,
)
const { respond, ask } = client([ZONE])

describe('sanity', () => {
  const cases: [name: string, query: Uint8Array, rcode: string | undefined, questions: number][] = [
    ['nothing', new Uint8Array(), undefined, 0],
    ['half a header', queryOf('www.example.com').subarray(0, 11), undefined, 0],
    ['a response', queryOf('www.example.com', { flags: 0x8000 }), undefined, 0],
    ['a header alone', queryOf('www.example.com').subarray(0, 12), 'FORMERR', 0],
    ['a question cut short', queryOf('www.example.com').subarray(0, 20), 'FORMERR', 0],
    ['a question without class', queryOf('www.example.com').subarray(0, -2), 'FORMERR', 0],
    ['no question', queryOf('www.example.com', { counts: [0, 0, 0, 0] }).subarray(0, 12), 'FORMERR', 0],
    ['two questions (RFC 9619)', queryOf('www.example.com', { counts: [2, 0, 0, 0] }), 'FORMERR', 0],
    [
      'a compressed question',
      Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1]),
      'FORMERR',
      0,
    ],
    ['a name of 256 octets', queryOf(`${Array(127).fill('a').join('.')}.a`), 'FORMERR', 0],
    [
      'octets behind the question',
      queryOf('www.example.com', { tail: [0], counts: [1, 0, 0, 0] }),
      'FORMERR',
      1,
    ],
    ['a missing record', queryOf('www.example.com', { counts: [1, 0, 0, 1] }), 'FORMERR', 1],
    [
      '65535 missing records',
      queryOf('www.example.com', { counts: [1, 0xffff, 0xffff, 0xffff] }),
      'FORMERR',
      1,
    ],
    [
      'a record cut short',
      queryOf('www.example.com', { tail: [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 9] }),
      'FORMERR',
      1,
    ],
    [
      'a record among the answers',
      queryOf('www.example.com AAAA', { tail: [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0], counts: [1, 1, 0, 0] }),
      'NOERROR',
      1,
    ],
    [
      'a record with a label of unknown type',
      queryOf('www.example.com', { tail: [0x80, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] }),
      'FORMERR',
      1,
    ],
    ['opcode IQUERY', queryOf('www.example.com', { flags: 1 << 11 }), 'NOTIMP', 0],
    ['opcode STATUS', queryOf('www.example.com', { flags: 2 << 11 }), 'NOTIMP', 0],
    ['opcode NOTIFY', queryOf('example.com SOA', { flags: 4 << 11 }), 'REFUSED', 0],
    ['opcode UPDATE', queryOf('example.com SOA', { flags: 5 << 11 }), 'NOTIMP', 0],
    ['opcode 15', queryOf('www.example.com', { flags: 15 << 11 }), 'NOTIMP', 0],
    [
      'opcode 15, header alone',
      queryOf('.', { flags: 15 << 11, counts: [0, 0, 0, 0] }).subarray(0, 12),
      'NOTIMP',
      0,
    ],
    ['class CH', queryOf('version.bind TXT', { class: 3 }), 'REFUSED', 1],
    ['class ANY', queryOf('www.example.com', { class: 255 }), 'REFUSED', 1],
    ['AXFR', queryOf('example.com AXFR'), 'REFUSED', 1],
    ['IXFR', queryOf('example.com IXFR'), 'REFUSED', 1],
    ['type 0', queryOf('www.example.com TYPE0'), 'FORMERR', 1],
    ['type OPT', queryOf('www.example.com OPT'), 'FORMERR', 1],
    ['type TSIG', queryOf('www.example.com TSIG'), 'FORMERR', 1],
    ['type MAILB', queryOf('www.example.com MAILB'), 'NOTIMP', 1],
    ['type 65535', queryOf('www.example.com TYPE65535'), 'NOERROR', 1],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, query, rcode, questions) => {
    for (const transport of ['udp', 'tcp'] as const) {
      const answer = answerTo(respond, query, transport)
      const message = answer && decodeMessage(answer)
      expect(message && rcodeText(message.rcode)).toBe(rcode)
      expect(message?.questions.length ?? 0).toBe(questions)
      expect(message?.answers.length ?? 0).toBe(0)
      if (message?.rcode !== 0) expect(message?.aa ?? false).toBe(false)
    }
  })
})

describe('header', () => {
  test('ID, opcode and RD are copied from the query, and so is the case of the name', () => {
    for (const [flags, expected] of [
      [0x0100, 0x8500],
      [0x0000, 0x8400],
    ] as const) {
      const query = queryOf('wWw.ExAmPlE.CoM', { id: 0xbeef, flags })
      const answer = answerTo(respond, query) ?? new Uint8Array()
      expect([...answer.subarray(0, 4)]).toEqual([0xbe, 0xef, expected >> 8, expected & 0xff])
      expect(answer.subarray(12, query.length)).toEqual(Buffer.from(query.subarray(12)))
      expect([...answer.subarray(query.length, query.length + 2)]).toEqual([0xc0, 12]) // the owner is the question
    }
  })

  test.each([
    ['AD', 0x0120],
    ['CD', 0x0110],
    ['Z', 0x0140],
    ['AA, TC and RA', 0x0780],
    ['a response code', 0x010f],
  ])('%s of a query changes nothing (RFC 8906 §8.1.3, RFC 4035 §3.1.6)', (_, flags) => {
    expect(answerTo(respond, queryOf('www.example.com', { flags }))).toEqual(
      answerTo(respond, queryOf('www.example.com')),
    )
  })
})

describe('EDNS (RFC 6891, RFC 8906 §8.2)', () => {
  const nsid = [0, 3, 0, 0]
  const cases: [name: string, tail: number[], expected: { rcode: string; answers: number; edns?: object }][] =
    [
      ['no OPT in the query, none in the answer', [], { rcode: 'NOERROR', answers: 1 }],
      ['version 0', opt(4096), { rcode: 'NOERROR', answers: 1, edns: {} }],
      [
        'DO is copied',
        opt(1232, { flags: 0x8000 }),
        { rcode: 'NOERROR', answers: 1, edns: { dnssecOk: true } },
      ],
      ['unknown flags are not', opt(1232, { flags: 0x7fff }), { rcode: 'NOERROR', answers: 1, edns: {} }],
      [
        'unknown options are not',
        opt(1232, { rdata: [0, 100, 0, 0] }),
        { rcode: 'NOERROR', answers: 1, edns: {} },
      ],
      [
        'several options',
        opt(1232, { rdata: [...nsid, 0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8] }),
        { rcode: 'NOERROR', answers: 1, edns: {} },
      ],
      ['version 1', opt(1232, { version: 1 }), { rcode: 'BADVERS', answers: 0, edns: {} }],
      [
        'version 1 with unknown flags',
        opt(1232, { version: 1, flags: 0x40 }),
        { rcode: 'BADVERS', answers: 0, edns: {} },
      ],
      [
        'version 255 with DO and option',
        opt(1232, { version: 255, flags: 0x8000, rdata: nsid }),
        { rcode: 'BADVERS', answers: 0, edns: { dnssecOk: true } },
      ],
      ['an option cut short', opt(1232, { rdata: [0, 3, 0, 9] }), { rcode: 'FORMERR', answers: 0 }],
      ['half an option', opt(1232, { rdata: [0, 3, 0] }), { rcode: 'FORMERR', answers: 0 }],
      ['an owner other than the root', [1, 0x61, ...opt(1232)], { rcode: 'FORMERR', answers: 0 }],
    ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, tail, { rcode, answers, edns }) => {
    const message = decoded(respond, queryOf('www.example.com', { tail }))
    expect(rcodeText(message.rcode)).toBe(rcode)
    expect(message.answers).toHaveLength(answers)
    expect(message.aa).toBe(rcode === 'NOERROR')
    expect(message.edns).toEqual(
      edns && { udpPayloadSize: 1232, version: 0, dnssecOk: false, options: [], ...edns },
    )
  })

  test('two OPT records', () => {
    const message = decoded(
      respond,
      queryOf('www.example.com', { tail: [...opt(1232), ...opt(1232)], counts: [1, 0, 0, 2] }),
    )
    expect([rcodeText(message.rcode), message.answers.length]).toEqual(['FORMERR', 0])
  })

  test('OPT among the authorities is not EDNS', () => {
    const message = decoded(respond, queryOf('www.example.com', { tail: opt(1232), counts: [1, 0, 1, 0] }))
    expect([rcodeText(message.rcode), message.edns]).toEqual(['NOERROR', undefined])
  })

  test('OPT is found behind another record', () => {
    const other = [0, 0, 16, 0, 1, 0, 0, 0, 0, 0, 1, 0]
    const query = queryOf('www.example.com', { tail: [...other, ...opt(1232)], counts: [1, 0, 0, 2] })
    expect(decoded(respond, query).edns).toBeDefined()
  })

  test('refusals carry OPT too', () => {
    const message = decoded(respond, queryOf('www.example.org', { tail: opt(1232) }))
    expect([rcodeText(message.rcode), message.edns?.version]).toEqual(['REFUSED', 0])
  })
})

describe('size', () => {
  const cases: [name: string, question: string, payload: number | undefined, truncated: boolean][] = [
    ['fits 512', 't400.example.com TXT', undefined, false],
    ['does not fit 512', 't900.example.com TXT', undefined, true],
    ['fits what is offered', 't900.example.com TXT', 1232, false],
    ['does not fit what is offered', 't900.example.com TXT', 600, true],
    ['an offer below 512 means 512', 't400.example.com TXT', 0, false],
    ['a large offer is limited', 't1300.example.com TXT', 65_535, true],
    ['name servers with all their glue', 'x.glued.example.com', 1232, false],
    ['a name server at the cut itself without its glue', 'x.own.example.com', 600, true],
    ['name servers without all their glue (RFC 9471 §3.1)', 'x.glued.example.com', 600, true],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, question, payload, truncated) => {
    const tail = payload === undefined ? [] : opt(payload)
    const answer = answerTo(respond, queryOf(question, { tail })) ?? new Uint8Array()
    const message = decodeMessage(answer)
    expect(message.tc).toBe(truncated)
    expect(message.answers.length + message.authorities.length === 0).toBe(truncated)
    expect(message.additionals.length > 0).toBe(!truncated && question.startsWith('x.glued'))
    expect(answer.length).toBeLessThanOrEqual(Math.max(512, Math.min(payload ?? 0, 1232)))
    expect(message.edns !== undefined).toBe(payload !== undefined)
  })

  test('TCP has room for what UDP truncates', () => {
    expect(ask('t1300.example.com TXT', { transport: 'tcp' })).toMatchObject({
      flags: 'aa',
      answer: [expect.any(String)],
    })
    expect(ask('x.glued.example.com', { transport: 'tcp' }).additional).toHaveLength(10)
  })

  test('optional addresses are left out, not truncated', () => {
    const addresses = (tail: number[]): number => {
      const message = decoded(respond, queryOf('mx.example.com MX', { tail }))
      expect([message.tc, message.answers.length]).toEqual([false, 8])
      return message.additionals.length
    }
    expect(addresses(opt(1232))).toBe(16)
    expect(addresses([])).toBeLessThan(16)
    const sibling = decoded(respond, queryOf('x.sibling.example.com', { tail: opt(600) }))
    expect([sibling.tc, sibling.authorities.length]).toEqual([false, 10])
    expect(sibling.additionals.length).toBeLessThan(10)
  })

  test('answers fit every payload size between', () => {
    for (let payload = 512; payload <= 1232; payload += 1) {
      for (const question of ['mx.example.com MX', 'x.glued.example.com', 't900.example.com TXT']) {
        expect(answerTo(respond, queryOf(question, { tail: opt(payload) }))?.length).toBeLessThanOrEqual(
          payload,
        )
      }
    }
  })

  test('the configured payload size is offered and not exceeded', () => {
    const server = client([ZONE], { udpPayloadOctets: 4095 })
    const message = decoded(server.respond, queryOf('t1300.example.com TXT', { tail: opt(4096) }))
    expect([message.tc, message.edns?.udpPayloadSize]).toEqual([false, 4095])
  })

  test('an answer too large for every transport is SERVFAIL over TCP', () => {
    const many = Array.from({ length: 300 }, (_, i) => `huge 300 TXT "${i}" ${longText(250)}`).join('\n')
    const server = client([zoneOf('example.com', many)])
    expect(server.ask('huge.example.com TXT', { transport: 'tcp' })).toEqual({
      rcode: 'SERVFAIL',
      flags: '',
      answer: [],
      authority: [],
      additional: [],
    })
    expect(server.ask('huge.example.com TXT')).toMatchObject({ rcode: 'NOERROR', flags: 'aa tc', answer: [] })
  })

  test('an answer beyond the reach of pointers is complete', () => {
    const many = Array.from({ length: 1200 }, (_, i) => `mx 300 MX ${i} m${i}\nm${i} 300 A 192.0.2.1`).join(
      '\n',
    )
    const message = decoded(
      client([zoneOf('example.com', many)]).respond,
      queryOf('mx.example.com MX'),
      'tcp',
    )
    expect(message.answers).toHaveLength(1200)
    expect(message.additionals.length).toBeGreaterThan(0)
    expect(message.additionals.every((record) => /^m\d+\.example\.com$/.test(record.name))).toBe(true)
  })
})

test('an exception while answering is SERVFAIL for one query, and is logged', () => {
  const table = createZoneTable()
  const logged: string[] = []
  const log: Log = { debug() {}, info() {}, warn() {}, error: (_, event) => logged.push(event) }
  const counted: string[] = []
  const metrics = {
    countQuery: (transport: string, rcode: string) => counted.push(`${transport} ${rcode}`),
    countDropped() {},
  }
  const broken = {
    ...table,
    find: () => {
      throw new Error('broken')
    },
  }
  const failing = createResponder({ table: broken, log, limits: DEFAULT_LIMITS, metrics })
  const message = decoded(failing, queryOf('www.example.com', { tail: opt(1232) }))
  expect([rcodeText(message.rcode), message.aa, message.answers.length]).toEqual(['SERVFAIL', false, 0])
  expect(logged).toEqual(['dns answer failed'])
  expect(counted).toEqual(['udp SERVFAIL'])
})

describe('metrics', () => {
  test('answers are counted by transport and code, drops by reason', () => {
    const counted: string[] = []
    const metrics: NameserverMetrics = {
      countQuery: (transport: Transport, rcode: string) => counted.push(`${transport} ${rcode}`),
      countDropped: (transport: Transport, reason: DropReason) =>
        counted.push(`${transport} dropped ${reason}`),
    }
    const table = createZoneTable()
    table.load(ZONE)
    const counting = createResponder({
      table,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      limits: DEFAULT_LIMITS,
      metrics,
    })
    answerTo(counting, queryOf('www.example.com'))
    answerTo(counting, queryOf('nope.example.com'), 'tcp')
    answerTo(counting, queryOf('nope.example.org', { tail: opt(1232, { version: 1 }) }))
    answerTo(counting, new Uint8Array(5))
    expect(counted).toEqual(['udp NOERROR', 'tcp NXDOMAIN', 'udp BADVERS', 'udp dropped garbage'])
  })
})

describe('arbitrary input', () => {
  const transport = fc.constantFrom('udp' as const, 'tcp' as const)
  /**
   * Either no answer, or one that both codecs can read, that repeats the ID, and that is a response of the allowed
   * size.
   */
  const check = (packet: Uint8Array, over: 'udp' | 'tcp'): void => {
    const before = packet.slice()
    const answer = answerTo(respond, packet, over)
    expect(packet).toEqual(before)
    if (answer === undefined) return
    expect([...answer.subarray(0, 2)]).toEqual([...packet.subarray(0, 2)])
    expect((answer[2] ?? 0) & 0x80).toBe(0x80)
    expect(answer.length).toBeLessThanOrEqual(over === 'udp' ? 1232 : 65_535)
    const message = decodeMessage(answer)
    expect(decodeMessage(encodeMessage(message))).toEqual(message)
  }

  test('random octets', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), transport, check), { numRuns: 1000 })
  })

  test('random octets behind a good header', () => {
    const header = fc.tuple(
      fc.constantFrom(0x0000, 0x0100, 0x2000, 0x2800),
      fc.nat(2),
      fc.nat(2),
      fc.nat(2),
      fc.nat(3),
    )
    const octet = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 3, 12, 41, 63, 64, 0xc0))
    fc.assert(
      fc.property(
        header,
        fc.array(octet, { maxLength: 100 }),
        transport,
        ([flags, ...counts], rest, over) => {
          const numbers = [7, flags, ...counts].flatMap((number) => [number >> 8, number & 255])
          check(Uint8Array.from([...numbers, ...rest]), over)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('good queries with some octets changed, cut off or added', () => {
    const question = fc.constantFrom(
      'www.example.com',
      'x.wild.example.com',
      'alias.example.com AAAA',
      'a.sub.example.com',
      'mx.example.com MX',
      'example.com ANY',
      '. NS',
    )
    const options: fc.Arbitrary<QueryOptions> = fc.constantFrom(
      {},
      { tail: opt(1232) },
      { tail: opt(4096, { flags: 0x8000, rdata: [0, 10, 0, 1, 1] }) },
    )
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 })
    const length = fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 5 }))
    fc.assert(
      fc.property(question, options, changes, length, transport, (text, how, edits, longer, over) => {
        const query = queryOf(text, how)
        for (const [at, octet] of edits) query[at % query.length] = octet
        const packet = new Uint8Array(Math.max(0, query.length + longer))
        packet.set(query.subarray(0, packet.length))
        check(packet, over)
      }),
      { numRuns: 3000 },
    )
  })

  test('a query after any packet is answered as before', () => {
    const fresh = seen(decoded(client([ZONE]).respond, queryOf('alias.example.com')))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (packet) => {
        answerTo(respond, packet)
        expect(ask('alias.example.com')).toEqual(fresh)
      }),
    )
  })
})
