// NAPTR as the API accepts and shows it.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const data = {
  flags: 'S',
  order: 30,
  preference: 100,
  regex: '',
  replacement: '_sip._tcp.unit.tests.',
  service: 'SIP+D2T',
}
const regex = {
  flags: 'u',
  order: 100,
  preference: 10,
  regex: '!^.*\\.$!sip:\\1@foo.se!i',
  replacement: '.',
  service: 'E2U+sip',
}

export const naptrCases = apiCases({
  name: 'naptr',
  valid: [
    ['a replacement', { data }, { content: '30 100 "S" "SIP+D2T" "" _sip._tcp.unit.tests.', data }],
    [
      'a replacement without its trailing dot',
      { data: { ...data, replacement: '_SIP._tcp.unit.tests' } },
      { content: '30 100 "S" "SIP+D2T" "" _sip._tcp.unit.tests.', data },
    ],
    [
      'a regular expression, its backslashes unchanged',
      { data: regex },
      { content: '100 10 "u" "E2U+sip" "!^.*\\\\.$!sip:\\\\1@foo.se!i" .', data: regex },
    ],
    [
      'numbers as strings',
      { data: { ...data, order: '30', preference: '100' } },
      { content: '30 100 "S" "SIP+D2T" "" _sip._tcp.unit.tests.', data },
    ],
    [
      'content',
      { content: '30 100 S SIP+D2T "" _sip._tcp.unit.tests.' },
      { content: '30 100 "S" "SIP+D2T" "" _sip._tcp.unit.tests.', data },
    ],
    [
      'letters beyond ASCII',
      { data: { ...data, service: 'ü' } },
      { content: '30 100 "S" "\\195\\188" "" _sip._tcp.unit.tests.', data: { ...data, service: 'ü' } },
    ],
    [
      'empty fields of other types',
      { data: { ...data, port: 0, tag: '', x: null } },
      { content: '30 100 "S" "SIP+D2T" "" _sip._tcp.unit.tests.', data },
    ],
    [
      'fields beside content',
      { data, content: 'x' },
      { content: '30 100 "S" "SIP+D2T" "" _sip._tcp.unit.tests.', data },
    ],
    [
      'the apex as replacement',
      { data: { ...data, replacement: '@' } },
      { content: '30 100 "S" "SIP+D2T" "" example.com.', data: { ...data, replacement: 'example.com.' } },
    ],
    [
      'no flags and no service',
      { data: { ...data, flags: '', service: '' } },
      { content: '30 100 "" "" "" _sip._tcp.unit.tests.', data: { ...data, flags: '', service: '' } },
    ],
  ],
  invalid: [
    ['nothing', {}, missing('flags', 'order', 'preference', 'regex', 'replacement', 'service')],
    ['unknown parts', { data: { ...data, 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['invalid content', { content: '30 100 S' }, ['9007 /content']],
    [
      'a regular expression and a replacement',
      { data: { ...regex, replacement: 'a.example' } },
      wrong('replacement'),
    ],
    [
      'a URL as replacement',
      { data: { ...data, replacement: 'https://example.net/' } },
      wrong('replacement'),
    ],
    ['an incomplete regular expression', { data: { ...regex, regex: '!a!b' } }, wrong('regex')],
    ['an invalid flag', { data: { ...data, flags: '-' } }, wrong('flags')],
    ['a service of 256 octets', { data: { ...data, service: 'x'.repeat(256) } }, wrong('service')],
    [
      'all wrong',
      { data: { flags: 1, order: -1, preference: 65_536, regex: 1, replacement: 'a..b', service: [] } },
      wrong('flags', 'order', 'preference', 'regex', 'replacement', 'service'),
    ],
    [
      'an empty object',
      { data: {} },
      missing('flags', 'order', 'preference', 'regex', 'replacement', 'service'),
    ],
    ['a field that is null', { data: { ...data, regex: null } }, missing('regex')],
    ['content that breaks a rule', { content: '1 2 "-" "" "" .' }, wrong('flags')],
    ['octets that are not UTF-8, by content', { content: '1 2 "S" "\\255" "" a.example.' }, wrong('service')],
  ],
})
