import type { ApiCases } from './cases.ts'
import { HOSTS, NAMES_BUT_NO_HOSTS, NO_HOSTS } from './host.cases.ts'

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
    ['the least priority', { content, priority: 0 }, { priority: 0 }, '0 mail.example.net.'],
    ['the greatest priority', { content, priority: 65_535 }, { priority: 65_535 }, '65535 mail.example.net.'],
    ['a priority as text', { content, priority: '10' }, { priority: 10 }, '10 mail.example.net.'],
    ['a priority in data', { content, data: { priority: 20 } }, { priority: 20 }, '20 mail.example.net.'],
    [
      'a priority as text in data',
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
      'zone-file text beside a priority, which wins',
      { content: '30 mail.example.net', priority: 10 },
      { content, priority: 10 },
      '10 mail.example.net.',
    ],
    ['no mail at all', { content: '.', priority: 0 }, { content: '.', priority: 0 }, '0 .'],
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
    ...[...NO_HOSTS, ...NAMES_BUT_NO_HOSTS].map(
      ([name, host]) => [name, { content: host, priority: 10 }, [9009], ['/content']] as const,
    ),
    ['a negative priority', { content, priority: -1 }, [9101], ['/priority']],
    ['a priority one too great', { content, priority: 65_536 }, [9101], ['/priority']],
    ['a priority with a fraction', { content, priority: 10.5 }, [6008], ['/priority']],
    ['a priority that is no number', { content, priority: 'ten' }, [6008], ['/priority']],
    ['a huge priority as text', { content, priority: '99999999999999999999' }, [9101], ['/priority']],
    ['no mail at all, with a priority', { content: '.', priority: 10 }, [9101], ['/priority']],
    ['proxied', { content, priority: 10, proxied: true }, [9004], ['/proxied']],
  ],
}
