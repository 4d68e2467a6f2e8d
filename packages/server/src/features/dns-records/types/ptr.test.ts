// PTR as the API takes and shows it.
import { checkValues } from './value-tables.cases.ts'

checkValues({
  type: 'PTR',
  valid: [
    ['a host', { content: 'host.example.net' }, { content: 'host.example.net' }],
    ['a trailing dot', { content: 'Host.Example.net.' }, { content: 'host.example.net' }],
    ['the apex', { content: '@' }, { content: 'example.com' }],
    [
      'a name with a blank, as service discovery has it',
      { content: 'a\\032b._http._tcp.example.net' },
      { content: 'a\\032b._http._tcp.example.net' },
    ],
    ['U-labels', { content: 'ööö.example.net' }, { content: 'xn--ndaaa.example.net' }],
  ],
  invalid: [
    ['nothing', {}, ['record.content_missing /content']],
    ['an address', { content: '192.0.2.1' }, ['record.content /content']],
    ['the root', { content: '.' }, ['record.content /content']],
    ['an empty label', { content: 'a..b' }, ['record.content /content']],
  ],
})
