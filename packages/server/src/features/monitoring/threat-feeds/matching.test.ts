// Which entries flag which resources: never more than the entry's owner controls.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindOfHost, namesOfOwner, readHost } from './hosts.rules.ts'
import { keysOfEntry, keysOfResource, type FeedEntry } from './matching.rules.ts'
import { SHARED_HOSTS } from './shared-hosts.ts'

const domain = (host: string): FeedEntry => ({ kind: 'domain', host })
const url = (text: string, flagsHost = true): FeedEntry => ({ kind: 'url', url: text, flagsHost })

/** `domain`, `url`, both or neither. */
function flags(entry: FeedEntry, resource: string): string {
  const keys = keysOfEntry(entry)
  const found = keysOfResource(resource)
  const meets = (expected: readonly string[]) =>
    typeof keys !== 'string' && keys.some((key) => expected.includes(key))
  return [meets(found.domain) ? 'domain' : '', meets(found.url) ? 'url' : '']
    .filter((what) => what !== '')
    .join(' ')
}

/** A folder that a feed names, and paths of other users below it. */
const SHARED_FOLDERS = [
  ['https://github.com/', 'https://github.com/fine/kit/raw/a.js'],
  ['https://github.com/evil/', 'https://github.com/evil/kit/raw/a.js'],
  ['https://raw.githubusercontent.com/fine/', 'https://raw.githubusercontent.com/fine/kit/main/a.js'],
  ['https://cdn.jsdelivr.net/npm/', 'https://cdn.jsdelivr.net/npm/jquery@3/dist/jquery.min.js'],
  ['https://fastly.jsdelivr.net/gh/', 'https://fastly.jsdelivr.net/gh/fine/kit/a.js'],
  ['https://unpkg.com/?x/', 'https://unpkg.com/vue@3'],
  ['https://storage.googleapis.com/bucket/', 'https://storage.googleapis.com/bucket/a.js'],
  ['https://s3.amazonaws.com/bucket/', 'https://s3.amazonaws.com/bucket/a.js'],
  ['https://f000.backblazeb2.com/file/', 'https://f000.backblazeb2.com/file/bucket/a.js'],
  ['https://s3.wasabisys.com/bucket/', 'https://s3.wasabisys.com/bucket/a.js'],
  ['https://github.io/kit/', 'https://github.io/kit/a.js'],
  ['https://pages.dev/kit/', 'https://pages.dev/kit/a.js'],
] as const

const CASES: readonly (readonly [name: string, entry: FeedEntry, resource: string, expected: string])[] = [
  ['a domain', domain('evil.example'), 'https://evil.example/a.js', 'domain'],
  ['a name below it', domain('evil.example'), 'https://a.b.evil.example/a.js', 'domain'],
  ['a connection of scheme and host', domain('evil.example'), 'wss://live.evil.example:8443', 'domain'],
  ['not the name above it', domain('cdn.evil.example'), 'https://evil.example/a.js', ''],
  ['not the name beside it', domain('cdn.evil.example'), 'https://img.evil.example/a.js', ''],
  ['not a name with the same ending', domain('evil.example'), 'https://notevil.example/a.js', ''],
  ['case and the final dot do not count', domain('EVIL.example.'), 'https://Evil.Example./a.js', 'domain'],
  ['below a suffix of two labels', domain('evil.co.uk'), 'https://www.evil.co.uk/', 'domain'],
  ['not a public suffix', domain('co.uk'), 'https://www.evil.co.uk/', ''],
  ['an address', domain('192.0.2.7'), 'http://192.0.2.7:8080/a.js', 'domain'],
  ['another address', domain('192.0.2.7'), 'http://192.0.2.77/a.js', ''],
  ['an IPv6 address', domain('[2001:DB8:0::7]'), 'https://[2001:db8::7]/', 'domain'],
  ['a customer of a platform', domain('evil.github.io'), 'https://evil.github.io/a.js', 'domain'],
  ['not another customer', domain('evil.github.io'), 'https://fine.github.io/a.js', ''],
  ['not the platform', domain('evil.github.io'), 'https://github.io/a.js', ''],
  ['not a whole platform', domain('netlify.app'), 'https://fine.netlify.app/a.js', ''],
  ['nor below', domain('cdn.jsdelivr.net'), 'https://cdn.jsdelivr.net/npm/fine/a.js', ''],

  [
    'a redirect of a search engine: not its scripts',
    url('https://www.google.com/url?q=https://evil.example/'),
    'https://www.google.com/recaptcha/api.js',
    '',
  ],
  [
    'a redirect of a search engine: not a connection to its host',
    url('https://www.google.com/url?q=https://evil.example/'),
    'https://www.google.com',
    '',
  ],
  [
    'the redirect itself',
    url('https://www.google.com/url?q=https://evil.example/'),
    'https://www.google.com/url?q=https://evil.example/',
    'url',
  ],
  [
    'a bot of a messenger: not the messenger',
    url('https://api.telegram.org/bot1/sendMessage'),
    'https://api.telegram.org',
    '',
  ],
  ['a URL, with its host', url('http://evil.example/a.js'), 'http://evil.example/a.js', 'domain url'],
  ['only its host', url('http://evil.example/a.js'), 'http://evil.example/b.js', 'domain'],
  ['not names below its host', url('http://evil.example/a.js'), 'http://www.evil.example/a.js', ''],
  ['if the host must not be flagged', url('http://evil.example/a.js', false), 'http://evil.example/b.js', ''],
  ['another scheme', url('http://evil.example/a.js'), 'https://evil.example/a.js', 'domain url'],
  ['the default port', url('https://evil.example:443/a.js', false), 'https://evil.example/a.js', 'url'],
  ['another port', url('https://evil.example:8443/a.js', false), 'https://evil.example/a.js', ''],
  ['the case of a host', url('https://EVIL.example/a.js', false), 'https://evil.example/a.js', 'url'],
  ['the case of a path', url('https://evil.example/A.js', false), 'https://evil.example/a.js', ''],
  ['a fragment', url('https://evil.example/a.js#x', false), 'https://evil.example/a.js', 'url'],
  [
    'any query, if the entry has none',
    url('https://evil.example/a.js', false),
    'https://evil.example/a.js?v=1',
    'url',
  ],
  [
    'a query in the entry',
    url('https://evil.example/a.js?v=1', false),
    'https://evil.example/a.js?v=1',
    'url',
  ],
  ['another query', url('https://evil.example/a.js?v=1', false), 'https://evil.example/a.js?v=2', ''],
  ['no query', url('https://evil.example/a.js?v=1', false), 'https://evil.example/a.js', ''],
  [
    'too many variants of a query',
    url('https://evil.example/a.js', false),
    'https://evil.example/a.js?*',
    'url',
  ],
  ['below a slash', url('https://evil.example/kit/', false), 'https://evil.example/kit/b/a.js?v=1', 'url'],
  ['not a sibling path', url('https://evil.example/kit/', false), 'https://evil.example/kits/a.js', ''],
  ['no prefix without a slash', url('https://evil.example/kit', false), 'https://evil.example/kit/a.js', ''],
  ['a whole site', url('https://evil.example/', false), 'https://evil.example/kit/a.js', 'url'],
  ['a whole site of a customer', url('https://evil.github.io/'), 'https://evil.github.io/kit/a.js', 'url'],
  [
    'a URL on a platform: only that one',
    url('https://github.com/evil/kit/raw/a.js'),
    'https://github.com/evil/kit/raw/a.js',
    'url',
  ],
  ['and no other', url('https://github.com/evil/kit/raw/a.js'), 'https://github.com/fine/a.js', ''],
  ['a folder of a platform: itself', url('https://github.com/evil/'), 'https://github.com/evil/', 'url'],
  ...SHARED_FOLDERS.map(
    ([entry, below]) =>
      [`a folder of a platform, and nothing below it: ${entry}`, url(entry), below, ''] as const,
  ),
  ['never the whole platform', url('https://github.com/'), 'https://github.com/fine/a.js', ''],
  [
    'a URL does not match a host without path',
    url('https://evil.example/', false),
    'https://evil.example',
    '',
  ],
  ['but its host does', url('https://evil.example/a.js'), 'wss://evil.example', 'domain'],
]

describe('entries and resources', () => {
  test.each(CASES)('%s', (_, entry, resource, expected) => {
    expect(flags(entry, resource)).toBe(expected)
  })

  test('shared hosts are listed once, in order, none below another', () => {
    const hosts: readonly string[] = Object.values(SHARED_HOSTS).flat()
    expect(hosts.length).toBeGreaterThan(50)
    for (const group of Object.values(SHARED_HOSTS)) expect(group).toEqual(group.toSorted())
    expect(new Set(hosts).size).toBe(hosts.length)
    for (const host of hosts) {
      expect(kindOfHost(host)).toBe('shared')
      expect([host, hosts.filter((other) => other.endsWith(`.${host}`))]).toEqual([host, []])
    }
  })

  test('a URL of a feed flags itself in any spelling', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        const keys = keysOfEntry(url(text))
        if (typeof keys === 'string') return
        const { href, pathname } = new URL(text)
        expect(flags(url(text), href.replace(/#.*$/, ''))).toContain('url')
        // A trailing slash covers everything below it.
        if (!pathname.endsWith('/'))
          expect(flags(url(text), `${href.replace(/[?#].*$/, '')}x`)).not.toContain('url')
      }),
    )
  })

  test('a domain never flags a name that does not end in it', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (one, other) => {
        const isBelow = other === one || other.endsWith(`.${one}`)
        if (!isBelow) expect(flags(domain(one), `https://${other}/`)).toBe('')
      }),
    )
  })

  test('any string is handled', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        keysOfEntry(domain(text))
        keysOfEntry(url(text))
        keysOfResource(text)
      }),
    )
  })
})

describe('hosts', () => {
  test.each([
    ['evil.example', 'own'],
    ['a.b.evil.co.uk', 'own'],
    ['evil.github.io', 'customer'],
    ['bucket.s3.amazonaws.com', 'customer'],
    ['evil.blogspot.com', 'customer'],
    ['evil.pages.dev', 'customer'],
    ['evil.vercel.app', 'customer'],
    ['github.io', 'shared'],
    ['com', 'local'],
    ['co.uk', 'shared'],
    ['gist.github.com', 'shared'],
    ['google.com', 'shared'],
    ['storage.googleapis.com', 'shared'],
    ['192.0.2.7', 'address'],
    ['[2001:db8::7]', 'address'],
    ['127.0.0.1', 'local'],
    ['[::1]', 'local'],
    ['[fe80::1]', 'local'],
    ['172.31.255.255', 'local'],
    ['172.32.0.0', 'address'],
    ['localhost', 'local'],
    ['db.internal', 'local'],
  ] as const)('%s is %s', (host, kind) => {
    expect(kindOfHost(host)).toBe(kind)
  })

  test.each([
    ['a.b.evil.co.uk', ['a.b.evil.co.uk', 'b.evil.co.uk', 'evil.co.uk']],
    ['x.evil.github.io', ['x.evil.github.io', 'evil.github.io']],
    ['192.0.2.7', ['192.0.2.7']],
  ] as const)('names of the owner of %s', (host, names) => {
    expect(namesOfOwner(host)).toEqual(names)
  })

  test.each([
    ['Evil.Example', 'evil.example'],
    ['evil.example.', 'evil.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['[2001:DB8::7]', '[2001:db8::7]'],
    ['evil.example/x', undefined],
    ['user@evil.example', undefined],
    ['evil example', undefined],
    ['evil..example', undefined],
    ['a'.repeat(300), undefined],
    ['', undefined],
    ['.', undefined],
  ] as const)('reads %s', (text, host) => {
    expect(readHost(text)).toBe(host)
  })
})
