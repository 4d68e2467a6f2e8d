import type { ApiCases } from './cases.ts'
import { HOSTS, NO_HOSTS } from './host.cases.ts'

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
      'a wildcard as alias',
      { name: '*', content: 'a.example.net' },
      { name: '*.example.com' },
      'a.example.net.',
    ],
    [
      'an underscore name as alias',
      { name: '_domainkey.k1', content: 'a.example.net' },
      { name: '_domainkey.k1.example.com' },
      'a.example.net.',
    ],
    [
      'flattening that is not wanted',
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
      'an unusual octet, escaped',
      { content: 'a\\.b.example.net' },
      { content: 'a\\.b.example.net' },
      'a\\.b.example.net.',
    ],
  ],
  invalid: [
    ['no content', {}, [9007], ['/content']],
    ...NO_HOSTS.map(([name, content]) => [name, { content }, [9007], ['/content']] as const),
    ['the root', { content: '.' }, [9007], ['/content']],
    ['an IPv6 address', { content: '2001:db8::1' }, [9007], ['/content']],
    ['itself', { content: 'alias.example.com' }, [9039], ['/content']],
    ['itself, in capitals with a dot', { content: 'ALIAS.example.com.' }, [9039], ['/content']],
    ['the apex as alias of itself', { name: '@', content: '@' }, [9039], ['/content']],
    [
      'flattening that is neither wanted nor not',
      { content: 'a.example.net', settings: { flatten_cname: 'true' } },
      [19402],
      ['/settings/flatten_cname'],
    ],
    [
      'one family of addresses, for which it must be proxied',
      { content: 'a.example.net', settings: { ipv4_only: true } },
      [19403],
      ['/settings/ipv4_only'],
    ],
  ],
}
