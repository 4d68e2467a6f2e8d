// What e-mails say: the urgent first, and nothing that a mail program would make a link of.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlertEvent, withoutLink, writeAlert } from './alert-text.ts'

const ZONE = { name: 'example.com', dashboardUrl: 'https://dns.example.net/zones/example.com/scripts' }
const event = (number: number, kind: string, url = `https://cdn.example.net/${number}.js`): AlertEvent => ({
  number,
  at: '2026-01-05T10:20:30Z',
  kind,
  url,
  pageUrl: 'www.example.com/checkout',
})

describe('the text of an alert', () => {
  test('one event', () => {
    expect(writeAlert(ZONE, [event(1, 'script.changed')])).toEqual({
      subject: '[example.com] 1 script changed',
      text: [
        '1 script changed',
        '',
        '2026-01-05T10:20:30Z  script.changed',
        '  hxxps://cdn[.]example[.]net/1.js',
        '  on www[.]example[.]com/checkout',
        '',
        '',
        '--',
        'Zonereeve sends this because of an e-mail alert of the zone example.com.',
        ZONE.dashboardUrl,
        '',
      ].join('\n'),
    })
  })

  test('the most urgent kind is first, in the order of the events within a kind', () => {
    const { subject, text } = writeAlert({ ...ZONE, dashboardUrl: undefined }, [
      event(1, 'script.new'),
      event(2, 'script.reported'),
      event(3, 'connection.new'),
      event(4, 'script.reported'),
      event(5, 'zone.from_a_later_version'),
    ])
    expect(subject).toBe('[example.com] 2 scripts became malicious, and 3 more events')
    const order = [...text.matchAll(/net\/(\d)\.js/g)].map(([, number]) => Number(number))
    expect(order).toEqual([2, 4, 1, 3, 5])
    expect(text).not.toContain('undefined')
  })

  test('fifty events are listed, the others are counted', () => {
    const events = Array.from({ length: 1234 }, (_, index) => event(index + 1, 'script.new'))
    const { subject, text } = writeAlert(ZONE, events)
    expect(subject).toBe('[example.com] 1234 scripts are new')
    expect(text.match(/\.js$/gm)).toHaveLength(50)
    expect(text).toContain('1184 more events of these kinds are not listed')
  })

  test('a test says that nothing has happened', () => {
    const { subject, text } = writeAlert(ZONE, [])
    expect(subject).toBe('[example.com] Test of an e-mail alert')
    expect(text).toContain('Nothing has happened')
  })
})

test.each([
  ['https://cdn.example.net/a.js?b=c.d#e', 'hxxps://cdn[.]example[.]net/a.js?b=c.d#e'],
  ['http://192.0.2.1:8080/', 'hxxp://192[.]0[.]2[.]1:8080/'],
  ['wss://a.example', 'wss://a[.]example'],
  ['www.example.com/checkout', 'www[.]example[.]com/checkout'],
  ['https://a.example/\r\nBcc: x@y.example\u202e', 'hxxps://a[.]example/??Bcc: x@y.example?'],
])('%j is written as %j', (url, expected) => {
  expect(withoutLink(url)).toBe(expected)
})

const CHARACTERS = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 })
  .map((codes) => String.fromCharCode(...codes))

test('no address is a link, or a line of its own', () => {
  fc.assert(
    fc.property(CHARACTERS, fc.constantFrom('', 'http://', 'https://'), (rest, scheme) => {
      const url = `${scheme}${rest}`
      const text = withoutLink(url)
      expect(text).not.toMatch(/^https?:\/\//i)
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(text.length).toBeLessThan(1500)
    }),
  )
})
