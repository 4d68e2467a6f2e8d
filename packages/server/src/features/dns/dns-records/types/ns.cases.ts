import type { ApiCases } from './cases.ts'
import { HOSTS, IPV4_ADDRESSES, NO_HOSTS } from './host.cases.ts'

export const nsCases: ApiCases = {
  name: 'sub',
  valid: [
    ...HOSTS.map(
      ([name, content, shown]) =>
        [name, { content }, { content: shown, proxiable: false, settings: {} }, `${shown}.`] as const,
    ),
    ...IPV4_ADDRESSES.map(
      ([name, content]) => [name, { content }, { content: '192.0.2.1' }, '192.0.2.1.'] as const,
    ),
    [
      'at the apex, of another provider',
      { name: '@', content: 'ns1.example.net' },
      { name: 'example.com' },
      'ns1.example.net.',
    ],
    [
      'below the delegation itself',
      { content: 'ns1.sub.example.com' },
      { content: 'ns1.sub.example.com' },
      'ns1.sub.example.com.',
    ],
  ],
  invalid: [
    ['no content', {}, [9007], ['/content']],
    ...NO_HOSTS.map(([name, content]) => [name, { content }, [9007], ['/content']] as const),
    ['at a wildcard', { name: '*', content: 'ns1.example.net' }, [9000], ['/name']],
    ['at a wildcard below a name', { name: '*.sub', content: 'ns1.example.net' }, [9000], ['/name']],
    ['the root', { content: '.' }, [9007], ['/content']],
    ['the zone’s own server at the apex', { name: '@', content: 'ns1.zonereeve.internal' }, [81058], [null]],
    [
      'the zone’s own server at the apex, in capitals',
      { name: '@', content: 'NS2.zonereeve.internal.' },
      [81058],
      [null],
    ],
    ['proxied', { content: 'ns1.example.net', proxied: true }, [9004], ['/proxied']],
  ],
}
