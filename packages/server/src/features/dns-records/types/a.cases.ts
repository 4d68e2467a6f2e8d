import type { ApiCases } from './cases.ts'

const CONTENT = ['/content']
const bad = (name: string, content: unknown, code = 9005) => [name, { content }, [code], CONTENT] as const

export const aCases: ApiCases = {
  name: 'www',
  valid: [
    ['a public address', { content: '8.8.8.8' }, { content: '8.8.8.8', proxiable: true }, '8.8.8.8'],
    [
      'a documentation address',
      { content: '192.0.2.1' },
      { proxiable: true, proxied: false, ttl: 1, settings: {} },
      '192.0.2.1',
    ],
    ['blanks around', { content: ' 192.0.2.1 ' }, { content: '192.0.2.1' }, '192.0.2.1'],
    ['all zeros', { content: '0.0.0.0' }, { content: '0.0.0.0', proxiable: false }, '0.0.0.0'],
    ['all ones', { content: '255.255.255.255' }, { proxiable: false }, '255.255.255.255'],
    ['loopback', { content: '127.0.0.1' }, { proxiable: false }, '127.0.0.1'],
    ['private, ten', { content: '10.0.0.1' }, { proxiable: false }, '10.0.0.1'],
    ['private, the last of 172.16/12', { content: '172.31.255.255' }, { proxiable: false }, '172.31.255.255'],
    ['one past 172.16/12', { content: '172.32.0.0' }, { proxiable: true }, '172.32.0.0'],
    ['private, 192.168', { content: '192.168.1.1' }, { proxiable: false }, '192.168.1.1'],
    ['link-local', { content: '169.254.1.1' }, { proxiable: false }, '169.254.1.1'],
    ['shared by a carrier', { content: '100.64.0.1' }, { proxiable: false }, '100.64.0.1'],
    ['multicast', { content: '224.0.0.1' }, { proxiable: false }, '224.0.0.1'],
    ['a one-letter name', { name: 'a', content: '192.0.2.1' }, { name: 'a.example.com' }, '192.0.2.1'],
    ['a wildcard', { name: '*', content: '192.0.2.1' }, { name: '*.example.com' }, '192.0.2.1'],
    ['the shortest ttl', { content: '192.0.2.1', ttl: 30 }, { ttl: 30 }, '192.0.2.1'],
    ['the longest ttl', { content: '192.0.2.1', ttl: 86_400 }, { ttl: 86_400 }, '192.0.2.1'],
    [
      'a comment and tags',
      { content: '192.0.2.1', comment: 'a', tags: ['b:c', 'd'] },
      { comment: 'a', tags: ['b:c', 'd'] },
      '192.0.2.1',
    ],
  ],
  invalid: [
    ['no content', {}, [9005], CONTENT],
    bad('content: null', null),
    bad('no text', ''),
    bad('an octet out of range', '192.0.2.256'),
    bad('three octets', '192.0.2'),
    bad('five octets', '192.0.2.1.5'),
    bad('a leading zero', '192.0.2.01'),
    bad('hexadecimal', '0xc0000201'),
    bad('one number', '3221225985'),
    bad('a port', '192.0.2.1:80'),
    bad('a network', '192.0.2.0/24'),
    bad('IPv6', '2001:db8::1'),
    bad('IPv4 in IPv6 clothes', '::ffff:192.0.2.1'),
    bad('a name', 'www.example.net'),
    bad('two addresses', '192.0.2.1,192.0.2.2'),
    bad('a trailing dot', '192.0.2.1.'),
    bad('a number', 5, 6008),
    bad('a list', ['192.0.2.1'], 6008),
    [
      'an address and a name, both wrong',
      { name: 'a..b', content: 'x' },
      [9000, 9005],
      ['/name', '/content'],
    ],
  ],
}
