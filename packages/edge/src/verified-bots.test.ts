// Lists of verified bots: which addresses are in them, and files that cannot be used.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseIp } from '@zonereeve/expr'
import { completeFacts, DEFAULT_NORMALIZATION } from '@zonereeve/firewall'
import { afterAll, expect, test, vi } from 'vitest'
import { openVerifiedBots, useVerifiedBots } from './verified-bots.ts'

const folder = mkdtempSync(join(tmpdir(), 'verified-bots-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const addressOf = (text: string) => parseIp(text) ?? expect.fail(text)

const published = written(
  'published.json',
  JSON.stringify({
    creationTime: '2026-11-26T00:00:00.000000',
    prefixes: [{ ipv6Prefix: '2001:db8:4801::/48' }, { ipv4Prefix: '192.0.2.64/27', service: 'a' }],
  }),
)
const plain = written(
  'plain.txt',
  '\uFEFF# own bots\r\n\r\n198.51.100.7 # a monitor\r\n203.0.113.0/24\n2001:db8::1\n::ffff:192.0.2.200\n',
)

test.each<[string, string, boolean]>([
  ['the first of a network', '192.0.2.64', true],
  ['its last', '192.0.2.95', true],
  ['before it', '192.0.2.63', false],
  ['after it', '192.0.2.96', false],
  ['as a mapped address', '::ffff:192.0.2.64', true],
  ['of version 6', '2001:db8:4801:ffff::1', true],
  ['after that of version 6', '2001:db8:4802::', false],
  ['in another file', '203.0.113.255', true],
  ['a single one', '198.51.100.7', true],
  ['beside it', '198.51.100.8', false],
  ['a single one of version 6', '2001:db8::1', true],
  ['a mapped one in a file', '192.0.2.200', true],
  ['none', '0.0.0.0', false],
])('an address: %s', (_name, address, expected) =>
  expect(openVerifiedBots([published, plain]).isOne(addressOf(address))).toBe(expected),
)

test.each<[string, string, string]>([
  ['a name', '192.0.2.1\nbot.example.com\n', 'line 2: bot.example.com is not an address or a network'],
  ['host bits', '# one\n192.0.2.1/24', 'line 2: 192.0.2.1/24'],
  ['a prefix that is too long', '192.0.2.0/33', 'line 1: 192.0.2.0/33'],
  ['no prefix', '192.0.2.0/', 'line 1: 192.0.2.0/'],
  ['two prefixes', '192.0.2.0/24/24', 'line 1: 192.0.2.0/24/24'],
  ['a range of mapped addresses', '::ffff:192.0.2.0/120', 'line 1: ::ffff:192.0.2.0/120'],
  ['two on a line', '192.0.2.1 192.0.2.2', 'line 1: 192.0.2.1 192.0.2.2'],
  ['a page of errors', '<!doctype html>', 'line 1: <!doctype html>'],
  ['nothing', '', 'has no addresses'],
  ['comments only', '# none\n', 'has no addresses'],
  ['no prefixes', '{"prefixes": []}', 'has no addresses'],
  ['broken JSON', '{"prefixes": [', 'SyntaxError'],
  ['other JSON', '{"error": "gone"}', '/prefixes must be a list'],
  ['an entry without a network', '{"prefixes": [null]}', '/prefixes/0: it must have ipv4Prefix'],
  [
    'an entry that is no network',
    '{"prefixes": [{"ipv4Prefix": "all"}]}',
    '/prefixes/0: all is not an address',
  ],
])('a file is refused with its name and place: %s', (_name, content, problem) => {
  const path = written('refused.txt', content)
  expect(() => openVerifiedBots([published, path])).toThrow(problem)
  expect(() => openVerifiedBots([published, path])).toThrow(path)
})

test('a missing file is refused', () =>
  expect(() => openVerifiedBots([join(folder, 'none.txt')])).toThrow('none.txt'))

test('a file that is replaced takes effect, and one that cannot be used changes nothing', async () => {
  const path = written('current.txt', '192.0.2.1')
  const events: string[] = []
  const log = {
    info: (_: object, event: string) => void events.push(event),
    warn: (_: object, event: string) => void events.push(event),
  }
  const isBot = (ip: string): boolean | undefined =>
    completeFacts(
      {
        method: 'GET',
        version: 'HTTP/1.1',
        isTls: true,
        host: 'example.com',
        target: '/',
        headers: [],
        clientIp: addressOf(ip),
        receivedAtMs: 0,
      },
      { normalization: DEFAULT_NORMALIZATION },
    ).isVerifiedBot?.()
  const stop = useVerifiedBots([path], log, 20)
  expect([isBot('192.0.2.1'), isBot('192.0.2.2')]).toEqual([true, false])
  writeFileSync(path, 'broken')
  await vi.waitFor(() => expect(events).toContain('verified bots not usable'))
  expect([isBot('192.0.2.1'), isBot('192.0.2.2')]).toEqual([true, false])
  writeFileSync(path, '192.0.2.2 # another one')
  await vi.waitFor(() => expect([isBot('192.0.2.1'), isBot('192.0.2.2')]).toEqual([false, true]))
  stop()
  useVerifiedBots([], log)
  expect(isBot('192.0.2.2')).toBeUndefined()
})
