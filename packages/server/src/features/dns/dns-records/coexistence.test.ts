// Coexistence of records: every pair of types at the apex and below it, duplicates, limits, and the notices in
// replies.
import { describe, expect, test } from 'vitest'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const RECORDS = '/zones/{zone}/dns_records'
const FIRST = `${RECORDS}/{0}`
const x = (count: number) => 'x'.repeat(count)

const DRAFTS = {
  A: { content: '192.0.2.1' },
  AAAA: { content: '2001:db8::1' },
  CAA: { data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
  CNAME: { content: 'www.example.net' },
  MX: { content: 'mail.example.net', priority: 10 },
  NS: { content: 'ns1.example.net' },
  SRV: { data: { priority: 1, weight: 1, port: 1, target: 'srv.example.net' } },
  TXT: { content: '"text"' },
} as const
/** The same types with another value. */
const OTHERS = {
  A: { content: '192.0.2.2' },
  AAAA: { content: '2001:db8::2' },
  CAA: { data: { flags: 0, tag: 'issuewild', value: 'ca.example.net' } },
  CNAME: { content: 'other.example.net' },
  MX: { content: 'other.example.net', priority: 10 },
  NS: { content: 'ns2.example.net' },
  SRV: { data: { priority: 1, weight: 1, port: 2, target: 'srv.example.net' } },
  TXT: { content: '"other"' },
} as const
type Type = keyof typeof DRAFTS
const TYPES = Object.keys(DRAFTS) as Type[] // the keys of DRAFTS

const CNAME_BESIDE_OTHERS = 19_011
const NO_EDGE = 19_012
const APEX_NS = 19_014

/** The error code of adding `second` beside `first` at one name; undefined if that is allowed. */
function obstacle(first: Type, second: Type, atApex: boolean): number | undefined {
  const addresses = ['A', 'AAAA']
  if (!atApex && (first === 'NS') !== (second === 'NS')) return 81_056
  if (second === 'CNAME' && [...addresses, 'CNAME'].includes(first)) return 81_053
  if (first === 'CNAME' && addresses.includes(second)) return 81_054
  return undefined
}

function pairs(atApex: boolean): Scenario[] {
  const name = atApex ? '@' : 'name'
  return TYPES.flatMap((first) =>
    TYPES.map((second): Scenario => {
      const code = obstacle(first, second, atApex)
      const mixed = first !== second && (first === 'CNAME' || second === 'CNAME')
      const messages = [
        // At the apex a CNAME is flattened, so it conflicts with nothing.
        ...(mixed && !atApex ? [CNAME_BESIDE_OTHERS] : []),
        ...(atApex && second === 'NS' ? [APEX_NS] : []),
      ]
      return {
        name: `${second} beside ${first}`,
        given: [{ type: first, name, ...DRAFTS[first] }],
        send: { method: 'POST', path: RECORDS, body: { type: second, name, ...OTHERS[second] } },
        expect:
          code === undefined
            ? { status: 200, changes: 1, events: ['records +1'], records: 1, messages }
            : { status: 400, codes: [code], pointers: ['/name'] },
      }
    }),
  )
}

const identical = { status: 400, codes: [81_058], pointers: [null] }
const added = { status: 200, changes: 1, events: ['records +1'], records: 1 }
const duplicates: Scenario[] = [
  ...TYPES.map((type): Scenario => ({
    name: `${type} twice`,
    given: [{ type, name: 'name', ...DRAFTS[type] }],
    send: { method: 'POST', path: RECORDS, body: { type, name: 'name', ...DRAFTS[type] } },
    expect: identical,
  })),
  ...TYPES.filter((type) => type !== 'CNAME').map((type): Scenario => ({
    name: `${type} at another name`,
    given: [{ type, name: 'name', ...DRAFTS[type] }],
    send: { method: 'POST', path: RECORDS, body: { type, name: 'other', ...DRAFTS[type] } },
    expect: added,
  })),
  ...(
    [
      ['another ttl', DRAFTS.A, { ...DRAFTS.A, ttl: 300 }],
      ['a comment', DRAFTS.A, { ...DRAFTS.A, comment: 'x' }],
      ['a proxy', DRAFTS.A, { ...DRAFTS.A, proxied: true }],
      ['a tag', DRAFTS.A, { ...DRAFTS.A, tags: ['a'] }],
    ] as const
  ).map(([what, first, second]): Scenario => ({
    name: `the same address with ${what} is the same record`,
    given: [{ type: 'A', name: 'name', ...first }],
    send: { method: 'POST', path: RECORDS, body: { type: 'A', name: 'NAME.example.com.', ...second } },
    expect: identical,
  })),
  {
    name: 'an IPv6 address in another spelling is the same record',
    given: [{ type: 'AAAA', name: 'name', content: '2001:db8::1' }],
    send: {
      method: 'POST',
      path: RECORDS,
      body: { type: 'AAAA', name: 'name', content: '2001:0DB8:0::0:1' },
    },
    expect: identical,
  },
  {
    name: 'a host with a trailing dot and capitals is the same record',
    given: [{ type: 'MX', name: 'name', ...DRAFTS.MX }],
    send: {
      method: 'POST',
      path: RECORDS,
      body: { type: 'MX', name: 'name', content: 'MAIL.example.net.', priority: 10 },
    },
    expect: identical,
  },
  {
    name: 'the same mail server with another priority is another record',
    given: [{ type: 'MX', name: 'name', ...DRAFTS.MX }],
    send: { method: 'POST', path: RECORDS, body: { type: 'MX', name: 'name', ...DRAFTS.MX, priority: 20 } },
    expect: added,
  },
  ...(
    [
      ['with and without quotes', 'abc', '"abc"'],
      ['without and with quotes', '"abc"', 'abc'],
      ['split into strings differently', '"ab" "c"', '"a" "bc"'],
      ['in one string and in two', '"abc"', '"ab" "c"'],
      ['with a letter by its number', '"abc"', '"\\097bc"'],
      ['with a needless escape', '"a;c"', '"a\\;c"'],
      ['split because it was long', x(300), `"${x(150)}" "${x(150)}"`],
      ['with letters beyond ASCII by their numbers', '"ü"', '"\\195\\188"'],
    ] as const
  ).map(([what, first, second]): Scenario => ({
    name: `the same text ${what} is the same record`,
    given: [{ type: 'TXT', name: 'name', content: first }],
    send: { method: 'POST', path: RECORDS, body: { type: 'TXT', name: 'name', content: second } },
    expect: identical,
  })),
  ...(
    [
      ['in another case', 'abc', 'ABC'],
      ['with a blank more', 'abc', 'abc '],
      ['with octets that are no text', '"\\255"', '"\\254"'],
      ['with an octet that is no text beside its replacement character', '"\\255"', '"\u{fffd}"'],
      ['that differ only near the end', `${x(300)}a`, `${x(300)}b`],
    ] as const
  ).map(([what, first, second]): Scenario => ({
    name: `texts ${what} are two records`,
    given: [{ type: 'TXT', name: 'name', content: first }],
    send: { method: 'POST', path: RECORDS, body: { type: 'TXT', name: 'name', content: second } },
    expect: added,
  })),
]

const edits: Scenario[] = [
  {
    name: 'a record may be edited at its own name',
    given: [{ type: 'CNAME', name: 'name', ...DRAFTS.CNAME }],
    send: { method: 'PATCH', path: FIRST, body: OTHERS.CNAME },
    expect: { status: 200, changes: 1, events: ['records -1 +1'] },
  },
  {
    name: 'a record cannot become a duplicate of another',
    given: [
      { type: 'A', name: 'name', ...DRAFTS.A },
      { type: 'A', name: 'name', ...OTHERS.A },
    ],
    send: { method: 'PATCH', path: FIRST, body: OTHERS.A },
    expect: identical,
  },
  {
    name: 'a record cannot move to a name where it conflicts',
    given: [
      { type: 'CNAME', name: 'name', ...DRAFTS.CNAME },
      { type: 'A', name: 'taken', ...DRAFTS.A },
    ],
    send: { method: 'PATCH', path: FIRST, body: { name: 'taken' } },
    expect: { status: 400, codes: [81_053], pointers: ['/name'] },
  },
  {
    name: 'an address cannot move to the name of a CNAME',
    given: [
      { type: 'A', name: 'name', ...DRAFTS.A },
      { type: 'CNAME', name: 'taken', ...DRAFTS.CNAME },
    ],
    send: { method: 'PUT', path: FIRST, body: { type: 'A', name: 'taken', ...DRAFTS.A } },
    expect: { status: 400, codes: [81_054], pointers: ['/name'] },
  },
  {
    name: 'a record cannot move below the name of a delegation it belongs to',
    given: [
      { type: 'TXT', name: 'name', ...DRAFTS.TXT },
      { type: 'NS', name: 'sub', ...DRAFTS.NS },
    ],
    send: { method: 'PATCH', path: FIRST, body: { name: 'sub' } },
    expect: { status: 400, codes: [81_056], pointers: ['/name'] },
  },
  {
    name: 'glue below a delegation is allowed',
    given: [{ type: 'NS', name: 'sub', content: 'ns1.sub.example.com' }],
    send: { method: 'POST', path: RECORDS, body: { type: 'A', name: 'ns1.sub', ...DRAFTS.A } },
    expect: added,
  },
  {
    name: 'a deleted record conflicts with nothing',
    given: [{ type: 'CNAME', name: 'name', ...DRAFTS.CNAME }],
    send: {
      method: 'POST',
      path: `${RECORDS}/batch`,
      body: { deletes: [{ id: '{0}' }], posts: [{ type: 'A', name: 'name', ...DRAFTS.A }] },
    },
    expect: { status: 200, changes: 1, events: ['records -1 +1'] },
  },
]

const notices: Scenario[] = [
  {
    name: 'a proxied record without an edge is answered with its origin',
    send: { method: 'POST', path: RECORDS, body: { type: 'A', name: 'name', ...DRAFTS.A, proxied: true } },
    expect: { ...added, messages: [NO_EDGE] },
  },
  {
    name: 'custom name servers at the apex are not published while there is one provider',
    given: [{ type: 'NS', name: '@', ...DRAFTS.NS }],
    send: { method: 'PATCH', path: FIRST, body: { ttl: 600 } },
    expect: {
      status: 200,
      changes: 1,
      events: ['records -1 +1'],
      messages: [APEX_NS],
      text: 'are published only if multi_provider',
    },
  },
  {
    name: 'with several providers they are, and nothing needs to be said',
    before: [{ method: 'PATCH', path: '/zones/{zone}/dns_settings', body: { multi_provider: true } }],
    send: { method: 'POST', path: RECORDS, body: { type: 'NS', name: '@', ...DRAFTS.NS } },
    expect: added,
  },
  {
    name: 'a delegation below the apex is always published',
    send: { method: 'POST', path: RECORDS, body: { type: 'NS', name: 'sub', ...DRAFTS.NS } },
    expect: added,
  },
  {
    name: 'a record beside a CNAME gets a notice, also on an edit that changes nothing',
    given: [
      { type: 'TXT', name: 'name', ...DRAFTS.TXT },
      { type: 'CNAME', name: 'name', ...DRAFTS.CNAME },
    ],
    send: { method: 'PATCH', path: FIRST, body: {} },
    expect: { status: 200, messages: [CNAME_BESIDE_OTHERS] },
  },
]

/**
 * TXT values of 2,040 octets, 2,048 on the wire with their eight length octets: four of them reach the limit of a
 * name.
 */
const quarter = (letter: string) => ({ type: 'TXT', name: 'full', content: letter + x(2_039) })
const quarters = ['a', 'b', 'c', 'd'].map(quarter)
const limits: Scenario[] = [
  {
    name: '8192 octets of TXT at one name',
    given: quarters.slice(0, 3),
    send: { method: 'POST', path: RECORDS, body: quarters[3] },
    expect: added,
  },
  {
    name: 'one more',
    given: quarters,
    send: { method: 'POST', path: RECORDS, body: { type: 'TXT', name: 'full', content: 'a' } },
    expect: { status: 400, codes: [83_011], pointers: ['/content'] },
  },
  {
    name: 'one octet more, in an empty string',
    given: quarters.slice(0, 3),
    send: {
      method: 'POST',
      path: RECORDS,
      body: {
        type: 'TXT',
        name: 'full',
        content: `${Array<string>(8)
          .fill(`"${x(255)}"`)
          .join(' ')} ""`,
      },
    },
    expect: { status: 400, codes: [83_011], pointers: ['/content'] },
  },
  {
    name: 'one more at another name',
    given: quarters,
    send: { method: 'POST', path: RECORDS, body: { type: 'TXT', name: 'empty', content: 'a' } },
    expect: added,
  },
  {
    name: 'one more of another type',
    given: quarters,
    send: { method: 'POST', path: RECORDS, body: { type: 'MX', name: 'full', ...DRAFTS.MX } },
    expect: added,
  },
  {
    name: 'an edit of one of them counts only the others',
    given: quarters,
    send: { method: 'PATCH', path: FIRST, body: { content: `e${x(2_039)}` } },
    expect: { status: 200, changes: 1, events: ['records -1 +1'] },
  },
  {
    name: 'an edit that makes one longer',
    given: quarters,
    send: { method: 'PATCH', path: FIRST, body: { content: `e${x(2_040)}` } },
    expect: { status: 400, codes: [83_011], pointers: ['/content'] },
  },
]

scenarios('pairs below the apex', pairs(false))
scenarios('pairs at the apex', pairs(true))
scenarios('duplicates', duplicates)
scenarios('edits beside others', edits)
scenarios('notices in replies', notices)
scenarios('TXT at one name', limits)

describe('the matrix', () => {
  test('covers every pair of types that the API accepts', () => {
    expect(pairs(false).length).toBe(TYPES.length ** 2)
    expect(new Set(pairs(false).map((row) => row.expect.status))).toEqual(new Set([200, 400]))
  })
})
