// Named lists: which items are valid, what a compiled list contains, and where redirects lead.
import { ipText, ipv4, parseIp, type Value } from '@zonereeve/expr'
import { BYTES, INT, IP } from '@zonereeve/expr'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ListValue, readValue, type RedirectItem } from './list-item.ts'
import { compileLists } from './named-lists.ts'

const redirect = (source_url: string, more: Partial<RedirectItem> = {}): { redirect: RedirectItem } => ({
  redirect: { source_url, target_url: 'https://example.com/new', ...more },
})

describe('an item', () => {
  test.each<[ListValue, string]>([
    [{ ip: '192.0.2.1' }, '192.0.2.1/32'],
    [{ ip: '192.0.2.1/32' }, '192.0.2.1/32'],
    [{ ip: '192.0.2.77/24' }, '192.0.2.0/24'],
    [{ ip: '10.0.0.0/8' }, '10.0.0.0/8'],
    [{ ip: '2001:DB8::1' }, '2001:db8::1/128'],
    [{ ip: '2001:db8::/12' }, '2000::/12'],
    [{ ip: '2001:db8:0:1::5/64' }, '2001:db8:0:1::/64'],
    [{ asn: 0 }, '0'],
    [{ asn: 4_294_967_295 }, '4294967295'],
    [{ hostname: { url_hostname: 'WWW.Example.com' } }, 'www.example.com'],
    [{ hostname: { url_hostname: '*.example.com', exclude_exact_hostname: false } }, '*.example.com'],
    [redirect('example.com'), '//example.com/'],
    [redirect('HTTPS://Example.com/A/b'), 'https://example.com/A/b'],
  ])('%j is valid, with the key %s', (value, key) => {
    expect(readValue(value)).toMatchObject({ key })
  })

  test.each<[ListValue, string]>([
    [{ ip: '192.0.2.0/7' }, '/ip'],
    [{ ip: '192.0.2.0/33' }, '/ip'],
    [{ ip: '2001:db8::/11' }, '/ip'],
    [{ ip: '2001:db8::/65' }, '/ip'],
    [{ ip: '192.0.2' }, '/ip'],
    [{ ip: '192.0.2.0/' }, '/ip'],
    [{ ip: '192.0.2.0/24/24' }, '/ip'],
    [{ ip: 'example.com' }, '/ip'],
    [{ asn: -1 }, '/asn'],
    [{ asn: 4_294_967_296 }, '/asn'],
    [{ hostname: { url_hostname: 'a.*.example.com' } }, '/hostname/url_hostname'],
    [{ hostname: { url_hostname: 'example.com/path' } }, '/hostname/url_hostname'],
    [
      { hostname: { url_hostname: 'example.com', exclude_exact_hostname: true } },
      '/hostname/exclude_exact_hostname',
    ],
    [redirect('ftp://example.com/'), '/redirect/source_url'],
    [redirect('https://user@example.com/'), '/redirect/source_url'],
    [redirect('https://example.com:8443/'), '/redirect/source_url'],
    [redirect('example.com/?a=1'), '/redirect/source_url'],
    [redirect('example.com/#a'), '/redirect/source_url'],
    [redirect('example.com', { target_url: '/relative' }), '/redirect/target_url'],
    [redirect('example.com', { target_url: 'https://a.example/\r\nx: y' }), '/redirect/target_url'],
    [redirect('example.com', { target_url: 'javascript:alert(1)' }), '/redirect/target_url'],
    [
      redirect('example.com', { target_url: 'https://a.example/?b', preserve_query_string: true }),
      '/redirect/target_url',
    ],
  ])('%j is refused at %s', (value, at) => {
    expect(readValue(value)).toMatchObject({ at })
  })

  test('any text is read without an exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const value of [{ ip: text }, { hostname: { url_hostname: text } }, redirect(text)])
          readValue(value)
      }),
    )
  })
})

describe('a list', () => {
  const lists = compileLists([
    {
      name: 'nets',
      kind: 'ip',
      items: [{ ip: '192.0.2.0/24' }, { ip: '198.51.100.7' }, { ip: '2001:db8::/32' }],
    },
    { name: 'asns', kind: 'asn', items: [{ asn: 64_500 }] },
    {
      name: 'hosts',
      kind: 'hostname',
      items: [
        { hostname: { url_hostname: 'www.example.com' } },
        { hostname: { url_hostname: '*.below.example' } },
        { hostname: { url_hostname: '*.both.example', exclude_exact_hostname: false } },
      ],
    },
    { name: 'empty', kind: 'ip', items: [] },
  ])
  const ip = (text: string): Value => parseIp(text) ?? expect.fail(`not an address: ${text}`)

  test.each([
    ['nets', ip('192.0.2.255'), true],
    ['nets', ip('192.0.3.0'), false],
    ['nets', ip('198.51.100.7'), true],
    ['nets', ip('198.51.100.8'), false],
    ['nets', ip('2001:db8:ffff::1'), true],
    ['nets', ip('2001:db9::'), false],
    ['empty', ip('192.0.2.1'), false],
    ['unknown', ip('192.0.2.1'), false],
    ['asns', 64_500, true],
    ['asns', 64_501, false],
    ['hosts', 'WWW.example.com:8443', true],
    ['hosts', 'example.com', false],
    ['hosts', 'a.www.example.com', false],
    ['hosts', 'a.b.below.example', true],
    ['hosts', 'below.example', false],
    ['hosts', 'notbelow.example', false],
    ['hosts', 'both.example', true],
  ] as const)('%s: %j: %s', (name, value, expected) => {
    const type = typeof value === 'number' ? INT : typeof value === 'string' ? BYTES : IP
    expect(lists.contains(type, name, value)).toBe(expected)
  })

  test('contains the addresses of its networks, and no others', () => {
    const network = fc.tuple(fc.nat(0xffffffff), fc.integer({ min: 8, max: 32 }))
    fc.assert(
      fc.property(fc.array(network), fc.array(fc.nat(0xffffffff)), (networks, addresses) => {
        const items = networks.map(([value, length]) => ({ ip: `${ipText(ipv4(value))}/${length}` }))
        const compiled = compileLists([{ name: 'a', kind: 'ip', items }])
        for (const address of [...addresses, ...networks.map(([value]) => value)]) {
          const isIn = networks.some(
            ([value, length]) =>
              Math.floor(value / 2 ** (32 - length)) === Math.floor(address / 2 ** (32 - length)),
          )
          expect(compiled.contains(IP, 'a', ipv4(address))).toBe(isIn)
        }
      }),
    )
  })
})

describe('a list of redirects', () => {
  const lists = compileLists([
    {
      name: 'moved',
      kind: 'redirect',
      items: [
        redirect('example.com/old', { status_code: 302 }),
        redirect('http://example.com/plain', { target_url: 'https://example.com/plain' }),
        redirect('example.com/both', { target_url: 'https://a.example/both' }),
        redirect('https://example.com/both', { target_url: 'https://a.example/secure' }),
        redirect('example.com/query', { preserve_query_string: true, target_url: 'https://a.example/q#top' }),
        redirect('example.com/dir', { subpath_matching: true, target_url: 'https://a.example/to/' }),
        redirect('example.com/dir/deep/', {
          subpath_matching: true,
          target_url: 'https://a.example/deep?x=1',
        }),
        redirect('example.com/cut', { subpath_matching: true, preserve_path_suffix: false }),
        redirect('sub.example', {
          include_subdomains: true,
          subpath_matching: true,
          target_url: 'https://b.example',
        }),
        redirect('www.sub.example/only', { target_url: 'https://c.example/only' }),
      ],
    },
  ])

  test.each([
    ['https://example.com/old', 'https://example.com/new'],
    ['https://example.com/old?a=1', 'https://example.com/new'],
    ['https://EXAMPLE.com:443/old', 'https://example.com/new'],
    ['https://example.com/old/', undefined],
    ['https://example.com/older', undefined],
    ['https://www.example.com/old', undefined],
    ['http://example.com/plain', 'https://example.com/plain'],
    ['https://example.com/plain', undefined],
    ['http://example.com/both', 'https://a.example/both'],
    ['https://example.com/both', 'https://a.example/secure'],
    ['https://example.com/query?a=1&b', 'https://a.example/q?a=1&b#top'],
    ['https://example.com/dir', 'https://a.example/to/'],
    ['https://example.com/dir/a/b', 'https://a.example/to/a/b'],
    ['https://example.com/directory', undefined],
    ['https://example.com/dir/deep/er', 'https://a.example/deep/er?x=1'],
    ['https://example.com/cut/off', 'https://example.com/new'],
    ['https://sub.example/', 'https://b.example'],
    ['https://a.b.sub.example/x', 'https://b.example/x'],
    ['https://www.sub.example/only', 'https://c.example/only'],
    ['https://notsub.example/', undefined],
    ['not a URL', undefined],
    ['', undefined],
  ])('%s → %s', (url, location) => {
    expect(lists.redirectOf('moved', url)?.location).toBe(location)
    expect(lists.contains(BYTES, 'moved', url)).toBe(location !== undefined)
  })

  test('the status is 301 unless the item says otherwise', () => {
    expect(lists.redirectOf('moved', 'http://example.com/old')?.statusCode).toBe(302)
    expect(lists.redirectOf('moved', 'http://example.com/both')?.statusCode).toBe(301)
    expect(lists.redirectOf('other', 'http://example.com/both')).toBeUndefined()
  })

  test('a path of many segments is not searched beyond the longest source', () => {
    expect(lists.redirectOf('moved', `https://example.com/dir${'/a'.repeat(50_000)}`)?.statusCode).toBe(301)
    expect(lists.redirectOf('moved', `https://example.com${'/a'.repeat(50_000)}`)).toBeUndefined()
  })
})
