// PTR as the API accepts and shows it.
import { apiCases } from './api-cases.cases.ts'

export const ptrCases = apiCases({
  name: '4',
  served: ({ content }) => `${content}.`,
  valid: [
    ['a host', { content: 'host.example.net' }, { content: 'host.example.net' }],
    ['a trailing dot', { content: 'Host.Example.net.' }, { content: 'host.example.net' }],
    ['the apex', { content: '@' }, { content: 'example.com' }],
    [
      'a name with a space, as in service discovery',
      { content: 'a\\032b._http._tcp.example.net' },
      { content: 'a\\032b._http._tcp.example.net' },
    ],
    ['U-labels', { content: 'ööö.example.net' }, { content: 'xn--ndaaa.example.net' }],
    ['one label', { content: 'localhost' }, { content: 'localhost' }],
    ['an underscore', { content: 'my_host.example.net' }, { content: 'my_host.example.net' }],
    ['blanks around', { content: ' host.example.net ' }, { content: 'host.example.net' }],
    ['A-labels', { content: 'xn--ndaaa.example.net' }, { content: 'xn--ndaaa.example.net' }],
    [
      'a priority without meaning',
      { content: 'host.example.net', priority: 0 },
      { content: 'host.example.net' },
    ],
  ],
  invalid: [
    ['nothing', {}, ['9007 /content']],
    ['an address', { content: '192.0.2.1' }, ['9007 /content']],
    ['the root', { content: '.' }, ['9007 /content']],
    ['an empty label', { content: 'a..b' }, ['9007 /content']],
    ['content that is null', { content: null }, ['9007 /content']],
    ['an IPv6 address', { content: '2001:db8::1' }, ['9007 /content']],
    ['a label of 64 octets', { content: 'x'.repeat(64) }, ['9007 /content']],
    ['a name over 255 octets', { content: 'abcdefg.'.repeat(40) }, ['9007 /content']],
    ['a bad escape', { content: 'a\\999' }, ['9007 /content']],
    ['a URL', { content: 'https://example.net/' }, ['9007 /content']],
    ['a host and a path', { content: 'example.net/path' }, ['9007 /content']],
    ['a blank inside', { content: 'a b' }, ['9007 /content']],
  ],
})
