// Recordings in any state: what is a request is read, all else is counted, and batches are as the server accepts them.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchesOf, isRequestOfZone, MAX_COMPARED, readRecordedRequests } from './recorded-requests.ts'

const options = { host: 'example.com', isAddress: (text: string) => /^\d+\.\d+\.\d+\.\d+$/.test(text) }
const read = (text: string) => readRecordedRequests(text, options)
const har = (...entries: unknown[]) => JSON.stringify({ log: { entries } })

describe('a recorded request', () => {
  test.each([
    {
      name: 'of a log has the host that is given',
      text: '192.0.2.9 - - [05/Jan/2026:10:20:30 +0000] "GET /a?b HTTP/1.1" 200 12 "-" "curl/8.0"\n',
      requests: [
        {
          place: 1,
          method: 'GET',
          url: 'https://example.com/a?b',
          headers: { host: ['example.com'], 'user-agent': ['curl/8.0'] },
          ip: '192.0.2.9',
        },
      ],
      unread: 0,
    },
    {
      name: 'of a log with a name instead of an address has no address',
      text: 'crawler.example.net - - [05/Jan/2026:10:20:30 +0000] "HEAD / HTTP/1.1" 200 12',
      requests: [
        { place: 1, method: 'HEAD', url: 'https://example.com/', headers: { host: ['example.com'] } },
      ],
      unread: 0,
    },
    {
      name: 'of a HAR file has its headers, without those of HTTP/2',
      text: har({
        request: {
          method: 'POST',
          url: 'https://www.example.com/',
          headers: [
            { name: ':path', value: '/' },
            { name: 'Cookie', value: 'a=1' },
            { name: 'Cookie', value: 'b=2' },
          ],
          postData: { text: 'q=1' },
        },
      }),
      requests: [
        {
          place: 1,
          method: 'POST',
          url: 'https://www.example.com/',
          headers: { Cookie: ['a=1', 'b=2'] },
          body: 'q=1',
        },
      ],
      unread: 0,
    },
    {
      name: 'with a method that no API accepts is counted as unread',
      text: har({ request: { method: 'A B', url: 'https://example.com/' } }),
      requests: [],
      unread: 1,
    },
  ])('$name', ({ text, requests, unread }) => {
    expect(read(text)).toEqual({ requests, unread })
  })

  test('has at most one character of the body more than rules inspect', () => {
    const request = { method: 'POST', url: 'https://example.com/', postData: { text: 'x'.repeat(200_000) } }
    expect(read(har({ request })).requests[0]?.body).toHaveLength(131_073)
  })

  test('is read from any text, or there is a reason', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          for (const { url, method } of read(text).requests) expect([url, method]).not.toContain('')
        } catch (error) {
          expect((error as Error).message).toMatch(/HAR|JSON/)
        }
      }),
    )
  })
})

test.each([
  ['https://example.com/', true],
  ['https://www.example.com/', true],
  ['https://notexample.com/', false],
  ['https://example.com.example.net/', false],
  ['nonsense', false],
])('%s is within the zone: %s', (url, isWithin) => {
  expect(isRequestOfZone({ url }, 'example.com')).toBe(isWithin)
})

test('batches keep the order, and none is larger than the server accepts', () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 140_000 }), fc.constant(1))
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 450 }), (bodies) => {
      const requests = bodies.map((length, place) => ({
        place,
        method: 'GET',
        url: 'https://example.com/',
        headers: {},
        body: 'x'.repeat(length),
      }))
      const batches = batchesOf(requests)
      expect(batches.flat().map(({ place }) => place)).toEqual(requests.map(({ place }) => place))
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(MAX_COMPARED)
        expect(JSON.stringify(batch).length * 3).toBeLessThan(2 * 1_048_576)
      }
    }),
    { numRuns: 30 },
  )
})
