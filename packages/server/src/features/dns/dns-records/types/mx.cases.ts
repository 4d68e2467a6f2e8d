import type { ApiCases } from './cases.ts'
import { HOSTS, IPV4_ADDRESSES, NO_HOSTS } from './host.cases.ts'

const content = 'mail.example.net'

export const mxCases: ApiCases = {
  name: '@',
  valid: [
    ...HOSTS.map(
      ([name, host, shown]) =>
        [
          name,
          { content: host, priority: 10 },
          { content: shown, priority: 10, proxiable: false },
          `10 ${shown}.`,
        ] as const,
    ),
    ['the lowest priority', { content, priority: 0 }, { priority: 0 }, '0 mail.example.net.'],
    ['the highest priority', { content, priority: 65_535 }, { priority: 65_535 }, '65535 mail.example.net.'],
    ['a priority as a string', { content, priority: '10' }, { priority: 10 }, '10 mail.example.net.'],
    ['a priority in data', { content, data: { priority: 20 } }, { priority: 20 }, '20 mail.example.net.'],
    [
      'a priority as a string in data',
      { content, data: { priority: '20' } },
      { priority: 20 },
      '20 mail.example.net.',
    ],
    [
      'zone-file text',
      { content: '30  mail.example.net.' },
      { content, priority: 30 },
      '30 mail.example.net.',
    ],
    [
      'presentation format beside a priority, which wins',
      { content: '30 mail.example.net', priority: 10 },
      { content, priority: 10 },
      '10 mail.example.net.',
    ],
    ['null MX', { content: '.', priority: 0 }, { content: '.', priority: 0 }, '0 .'],
    [
      'below a wildcard',
      { name: '*', content, priority: 10 },
      { name: '*.example.com' },
      '10 mail.example.net.',
    ],
    [
      'below a name with a digit first',
      { name: '1st', content, priority: 10 },
      { name: '1st.example.com' },
      '10 mail.example.net.',
    ],
  ],
  invalid: [
    ['neither content nor priority', {}, [9101, 9009], ['/priority', '/content']],
    ['no priority', { content }, [9101], ['/priority']],
    ['no content', { priority: 10 }, [9009], ['/content']],
    ...[...NO_HOSTS, ...IPV4_ADDRESSES].map(
      ([name, host]) => [name, { content: host, priority: 10 }, [9009], ['/content']] as const,
    ),
    ['a negative priority', { content, priority: -1 }, [9101], ['/priority']],
    ['a priority one above the maximum', { content, priority: 65_536 }, [9101], ['/priority']],
    ['a priority with a fraction', { content, priority: 10.5 }, [6008], ['/priority']],
    ['a priority that is not a number', { content, priority: 'ten' }, [6008], ['/priority']],
    ['a huge priority as a string', { content, priority: '99999999999999999999' }, [9101], ['/priority']],
    ['null MX with a priority', { content: '.', priority: 10 }, [9101], ['/priority']],
    ['proxied', { content, priority: 10, proxied: true }, [9004], ['/proxied']],
  ],
}
