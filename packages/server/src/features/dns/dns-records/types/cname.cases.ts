import type { ApiCases } from './cases.ts'
import { HOSTS, IPV4_ADDRESSES, NO_HOSTS } from './host.cases.ts'

export const cnameCases: ApiCases = {
  name: 'alias',
  valid: [
    ...HOSTS.map(
      ([name, content, shown]) =>
        [
          name,
          { content },
          { content: shown, proxiable: true, settings: { flatten_cname: false } },
          `${shown}.`,
        ] as const,
    ),
    [
      'a validation name',
      { content: '_abc.acme.example.net' },
      { content: '_abc.acme.example.net' },
      '_abc.acme.example.net.',
    ],
    [
      'a wildcard as owner',
      { name: '*', content: 'a.example.net' },
      { name: '*.example.com' },
      'a.example.net.',
    ],
    [
      'an underscore name as owner',
      { name: '_domainkey.k1', content: 'a.example.net' },
      { name: '_domainkey.k1.example.com' },
      'a.example.net.',
    ],
    [
      'flattening off',
      { content: 'a.example.net', settings: { flatten_cname: false } },
      { settings: { flatten_cname: false } },
      'a.example.net.',
    ],
    [
      'flattening',
      { content: 'a.example.net', settings: { flatten_cname: true } },
      { settings: { flatten_cname: true } },
      'a.example.net.',
    ],
    [
      'a classless delegation of the reverse zone',
      { content: '1.0/25.2.0.192.in-addr.arpa' },
      { content: '1.0/25.2.0.192.in-addr.arpa' },
      '1.0/25.2.0.192.in-addr.arpa.',
    ],
  ],
  invalid: [
    ['no content', {}, [9007], ['/content']],
    ...[...NO_HOSTS, ...IPV4_ADDRESSES].map(
      ([name, content]) => [name, { content }, [9007], ['/content']] as const,
    ),
    ['the root', { content: '.' }, [9007], ['/content']],
    ['itself', { content: 'alias.example.com' }, [9039], ['/content']],
    ['itself, in capitals with a dot', { content: 'ALIAS.example.com.' }, [9039], ['/content']],
    ['the apex as a CNAME to itself', { name: '@', content: '@' }, [9039], ['/content']],
    [
      'flattening neither true nor false',
      { content: 'a.example.net', settings: { flatten_cname: 'true' } },
      [19402],
      ['/settings/flatten_cname'],
    ],
    [
      'one family of addresses, which requires proxied',
      { content: 'a.example.net', settings: { ipv4_only: true } },
      [19403],
      ['/settings/ipv4_only'],
    ],
  ],
}
