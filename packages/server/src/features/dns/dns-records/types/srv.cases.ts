import type { ApiCases } from './cases.ts'
import { HOSTS, IPV4_ADDRESSES, NO_HOSTS } from './host.cases.ts'

const data = { priority: 10, weight: 20, port: 5060, target: 'sip.example.net' }
const SERVED = '10 20 5060 sip.example.net.'
const MEMBERS = ['/data/port', '/data/priority', '/data/target', '/data/weight']
const without = (member: keyof typeof data) => ({ data: { ...data, [member]: undefined } })
const wrong = (name: string, member: keyof typeof data, value: unknown) =>
  [`${member}: ${name}`, { data: { ...data, [member]: value } }, [9101], [`/data/${member}`]] as const

export const srvCases: ApiCases = {
  name: '_sip._tcp',
  valid: [
    ...HOSTS.map(
      ([name, target, shown]) =>
        [
          `target: ${name}`,
          { data: { ...data, target } },
          { content: `20 5060 ${shown}`, data: { ...data, target: shown }, priority: 10 },
          `10 20 5060 ${shown}.`,
        ] as const,
    ),
    [
      'in data',
      { data },
      {
        content: '20 5060 sip.example.net',
        priority: 10,
        data,
        proxiable: false,
        proxied: false,
        ttl: 1,
        settings: {},
      },
      SERVED,
    ],
    [
      'only zeros',
      { data: { priority: 0, weight: 0, port: 0, target: '.' } },
      { content: '0 0 .', priority: 0, data: { priority: 0, weight: 0, port: 0, target: '.' } },
      '0 0 0 .',
    ],
    [
      'the highest numbers',
      { data: { priority: 65_535, weight: 65_535, port: 65_535, target: 'a.example.net' } },
      { content: '65535 65535 a.example.net', priority: 65_535 },
      '65535 65535 65535 a.example.net.',
    ],
    [
      'numbers as strings',
      { data: { ...data, priority: '10', weight: '20', port: '5060' } },
      { data },
      SERVED,
    ],
    [
      'a priority at the top level',
      { priority: 10, data: { ...data, priority: undefined } },
      { data },
      SERVED,
    ],
    ['two priorities: the one in data wins', { priority: 99, data }, { priority: 10, data }, SERVED],
    [
      'members that repeat the name, and empty ones of other types',
      { data: { ...data, service: '_sip', proto: '_tcp', name: 'x', tag: '', flags: 0 } },
      { data },
      SERVED,
    ],
    [
      'zone-file text',
      { content: '10 20 5060 sip.example.net.' },
      { content: '20 5060 sip.example.net', data },
      SERVED,
    ],
    ['presentation format with tabs', { content: '10\t20\t5060\tsip.example.net' }, { data }, SERVED],
    [
      'the content of a reply, beside its priority',
      { content: '20 5060 sip.example.net', priority: 10 },
      { data },
      SERVED,
    ],
    ['content beside data, which wins', { content: '1 1 1 other.example.net', data }, { data }, SERVED],
    ['at the apex', { name: '@', data }, { name: 'example.com' }, SERVED],
    ['over UDP', { name: '_sip._udp.voice', data }, { name: '_sip._udp.voice.example.com' }, SERVED],
    ['digits first', { name: '_1._tcp', data }, { name: '_1._tcp.example.com' }, SERVED],
  ],
  invalid: [
    ['nothing', {}, [9101, 9101, 9101, 9101], MEMBERS],
    ['empty data', { data: {} }, [9101, 9101, 9101, 9101], MEMBERS],
    ['no port', without('port'), [9101], ['/data/port']],
    ['no priority', without('priority'), [9101], ['/data/priority']],
    ['no target', without('target'), [9101], ['/data/target']],
    ['no weight', without('weight'), [9101], ['/data/weight']],
    [
      'the content of a reply without its priority',
      { content: '20 5060 sip.example.net' },
      [9101],
      ['/data/priority'],
    ],
    ['invalid content', { content: 'sip.example.net' }, [9007], ['/content']],
    ...[...NO_HOSTS, ...IPV4_ADDRESSES].map(([name, target]) => wrong(name, 'target', target)),
    wrong('null', 'port', null),
    wrong('no text', 'port', ''),
    wrong('negative', 'port', -1),
    wrong('one above the maximum', 'port', 65_536),
    wrong('a fraction', 'port', 5060.5),
    wrong('a word', 'port', 'sip'),
    wrong('hexadecimal', 'port', '0x13c4'),
    wrong('a list', 'port', [5060]),
    wrong('true', 'weight', true),
    wrong('one above the maximum, as a string', 'weight', '65536'),
    wrong('negative', 'priority', -5),
    wrong('a number', 'target', 5),
    [
      'two invalid members',
      { data: { ...data, port: 'x', weight: -1 } },
      [9101, 9101],
      ['/data/port', '/data/weight'],
    ],
    ['an unknown member', { data: { ...data, extra: 1 } }, [6008], ['/data/extra']],
    [
      'a misspelt member',
      { data: { ...data, target: undefined, tarket: data.target } },
      [9101, 6008],
      ['/data/target', '/data/tarket'],
    ],
    ['a member of another type', { data: { ...data, tag: 'issue' } }, [6008], ['/data/tag']],
    ['data that is not an object', { data: 'x' }, [6008], ['/data']],
    ['proxied', { data, proxied: true }, [9004], ['/proxied']],
    [
      'no name, and only a part of one in data',
      { name: null, data: { ...data, service: '_sip' } },
      [9000],
      ['/name'],
    ],
  ],
}
