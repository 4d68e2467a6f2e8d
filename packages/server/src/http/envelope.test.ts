// The table of wire errors: invariants of every entry, and the texts that clients search for.
import { describe, expect, test } from 'vitest'
import {
  DomainError,
  type ErrorCode,
  fill,
  WIRE_ERRORS,
  WIRE_NOTICES,
  type WireError,
} from '@zonereeve/platform'
import { failureOf, listText, resultInfo, successText } from './envelope.ts'

const lines = Object.entries(WIRE_ERRORS).map(
  ([reason, line]) => [reason as ErrorCode, line as WireError] as const,
)
const OWN_NUMBERS = [
  [19_000, 19_999],
  [20_300, 20_999],
] as const
const isOwn = (code: number) => OWN_NUMBERS.some(([first, last]) => code >= first && code <= last)

describe('wire errors', () => {
  test('the table is not empty', () => expect(lines.length).toBeGreaterThan(0))

  test.each(lines)(
    '%s is a failure that a client can distinguish',
    (_, { status, code, message, source }) => {
      expect([400, 401, 403, 404, 405, 408, 410, 412, 413, 415, 421, 429, 431, 499, 500, 503, 507]).toContain(
        status,
      )
      expect(Number.isInteger(code) && code >= 0).toBe(true)
      expect(message).not.toBe('')
      // Our own codes are marked as such, and no code is attributed to the live API wrongly.
      expect(isOwn(code)).toBe(source === 'ours')
    },
  )

  test('each of our own codes has one meaning', () => {
    // An error and a message of the same name mean the same, as a rejection and in a result.
    const named = [...lines, ...Object.entries(WIRE_NOTICES)].map(([name, { code }]) => `${code} ${name}`)
    const own = [...new Set(named)].map((text) => Number.parseInt(text, 10)).filter(isOwn)
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter((code, index) => own.indexOf(code) !== index)).toEqual([])
  })

  test('no plain validation error has a status that SDKs retry', () => {
    const retried = lines.filter(([, { status }]) => [408, 409, 429].includes(status) || status >= 500)
    expect(retried.map(([reason]) => reason).toSorted()).toEqual([
      'audit.streams',
      'auth.throttled',
      'page_shield.diff_busy',
      'page_shield_test.too_soon',
      'provider.unreachable',
      'rate.exceeded',
      'request.timeout',
      'scan.busy',
      'server.internal',
      'server.stopping',
      'sign_in.throttled',
      'storage.damaged',
      'storage.full',
      'storage.unavailable',
      'storage.unreadable_row',
      'storage.unwritable',
    ])
  })

  // Texts that clients compare or search.
  const exact: [reason: ErrorCode, values: Record<string, string | number>, status: number, body: string][] =
    [
      [
        'record.identical',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":81058,"message":"An identical record already exists."}],"messages":[]}',
      ],
      [
        'record.unknown',
        {},
        404,
        '{"result":null,"success":false,"errors":[{"code":81044,"message":"Record does not exist."}],"messages":[]}',
      ],
      [
        'record.cname_exists',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":81054,"message":"A CNAME record with that host already exists. For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>."}],"messages":[]}',
      ],
      [
        'record.cname_exclusive',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":81053,"message":"An A, AAAA, or CNAME record with that host already exists. For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>."}],"messages":[]}',
      ],
      [
        'record.ns_exclusive',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":81056,"message":"NS records with that host already exist."}],"messages":[]}',
      ],
      [
        'record.ttl',
        { minimum: 60 },
        400,
        '{"result":null,"success":false,"errors":[{"code":9021,"message":"TTL must be between 60 and 86400 seconds, or 1 for Automatic."}],"messages":[]}',
      ],
      [
        'record.a_content',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":9005,"message":"Content for A record must be a valid IPv4 address."}],"messages":[]}',
      ],
      [
        'record.proxied_target',
        { target: '127.0.0.1' },
        400,
        '{"result":null,"success":false,"errors":[{"code":9003,"message":"Target 127.0.0.1 is not allowed for a proxied record."}],"messages":[]}',
      ],
      [
        'record.proxied_type',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":9004,"message":"This record type cannot be proxied."}],"messages":[]}',
      ],
      [
        'record.data_required',
        { field: 'weight' },
        400,
        '{"result":null,"success":false,"errors":[{"code":9101,"message":"weight is a required data field."}],"messages":[]}',
      ],
      [
        'record.too_long',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":9015,"message":"Record content exceeds the allowed length of 4096 wire format bytes."}],"messages":[]}',
      ],
      [
        'record.txt_combined',
        {},
        400,
        '{"result":null,"success":false,"errors":[{"code":83011,"message":"Combined content length of records with this name and type exceeds the limit."}],"messages":[]}',
      ],
      [
        'zone.exists',
        { name: 'example.com' },
        400,
        '{"result":null,"success":false,"errors":[{"code":1061,"message":"example.com already exists"}],"messages":[]}',
      ],
      [
        'rate.exceeded',
        { limit: 1200, seconds: 300 },
        429,
        '{"success":false,"errors":[{"code":10100,"message":"More than 1200 requests per 300 seconds reached. Please wait and consider throttling your request speed"}],"messages":[],"result":null}',
      ],
      [
        'auth.location',
        { ip: '192.0.2.1' },
        403,
        '{"success":false,"errors":[{"code":9109,"message":"Cannot use the access token from location: 192.0.2.1"}],"messages":[],"result":null}',
      ],
    ]
  test.each(exact)('%s in its exact words', (reason, values, status, body) => {
    expect(failureOf(new DomainError({ reason, values }))).toEqual({ status, body })
  })
})

describe('the envelope', () => {
  test('contains every issue, with pointer and detail; the first determines status and order', () => {
    const error = new DomainError([
      { reason: 'record.name', pointer: '/name', detail: 'A label is empty.' },
      { reason: 'record.unknown' },
    ])
    expect(failureOf(error)).toEqual({
      status: 400,
      body: '{"result":null,"success":false,"errors":[{"code":9000,"message":"DNS name is invalid. A label is empty.","source":{"pointer":"/name"}},{"code":81044,"message":"Record does not exist."}],"messages":[]}',
    })
  })

  test('of a success is compact, in the order that clients search for', () => {
    expect(successText('{"id":"1"}')).toBe('{"result":{"id":"1"},"success":true,"errors":[],"messages":[]}')
    expect(successText('null', { notices: [{ notice: 'token.verified' }] })).toBe(
      '{"result":null,"success":true,"errors":[],"messages":[{"code":10000,"message":"This API Token is valid and active","type":null}]}',
    )
    const refused = [{ reason: 'record.identical', subject: 'a.example.com', pointer: '/file/3' } as const]
    expect(successText('{}', { refused, notices: [{ notice: 'dry_run' }] })).toBe(
      '{"result":{},"success":true,"errors":[],"messages":[{"code":81058,"message":"a.example.com: An identical record already exists.","source":{"pointer":"/file/3"}},{"code":19030,"message":"Dry run: nothing was changed."}]}',
    )
  })

  test('of a list has its counts last, or second for zones', () => {
    const info = resultInfo(1, 20, 1, 1)
    const counts = '"result_info":{"page":1,"per_page":20,"count":1,"total_count":1,"total_pages":1}'
    expect(listText('{}', { info })).toBe(
      `{"result":[{}],"success":true,"errors":[],"messages":[],${counts}}`,
    )
    expect(listText('{}', { info, infoSecond: true })).toBe(
      `{"result":[{}],${counts},"success":true,"errors":[],"messages":[]}`,
    )
  })

  test.each([
    [0, 20, 1],
    [1, 20, 1],
    [20, 20, 1],
    [21, 20, 2],
    [100, 1, 100],
  ])('%i items, %i a page, are %i pages', (total, perPage, pages) => {
    expect(resultInfo(1, perPage, Math.min(total, perPage), total)).toMatchObject({
      total_count: total,
      total_pages: pages,
    })
  })

  test('a text without a value for its placeholder shows the placeholder', () => {
    expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}')
    expect(fill('{a}')).toBe('{a}')
  })
})
