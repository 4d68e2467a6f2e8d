import type { ApiCases } from './cases.ts'

const bad = (name: string, content: unknown) => [name, { content }, [9006], ['/content']] as const

export const aaaaCases: ApiCases = {
  name: 'www',
  valid: [
    [
      'the short form',
      { content: '2001:db8::1' },
      { content: '2001:db8::1', proxiable: true, settings: {} },
      '2001:db8::1',
    ],
    [
      'the long form',
      { content: '2001:0db8:0000:0000:0000:0000:0000:0001' },
      { content: '2001:db8::1' },
      '2001:db8::1',
    ],
    ['capitals', { content: '2001:DB8::A' }, { content: '2001:db8::a' }, '2001:db8::a'],
    ['blanks around', { content: ' 2001:db8::1\t' }, { content: '2001:db8::1' }, '2001:db8::1'],
    [
      'two runs of zeros: the first is shortened',
      { content: '2001:db8:0:0:1:0:0:1' },
      { content: '2001:db8::1:0:0:1' },
      '2001:db8::1:0:0:1',
    ],
    [
      'one zero is not shortened',
      { content: '2001:db8:0:1:1:1:1:1' },
      { content: '2001:db8:0:1:1:1:1:1' },
      '2001:db8:0:1:1:1:1:1',
    ],
    [
      'IPv4 at the end',
      { content: '64:ff9b::192.0.2.1' },
      { content: '64:ff9b::c000:201' },
      '64:ff9b::c000:201',
    ],
    [
      'an IPv4-mapped address',
      { content: '::ffff:8.8.8.8' },
      { content: '::ffff:8.8.8.8', proxiable: true },
      '::ffff:8.8.8.8',
    ],
    [
      'a private IPv4-mapped address',
      { content: '::ffff:10.0.0.1' },
      { proxiable: false },
      '::ffff:10.0.0.1',
    ],
    ['nothing', { content: '::' }, { content: '::', proxiable: false }, '::'],
    ['loopback', { content: '::1' }, { proxiable: false }, '::1'],
    ['link-local', { content: 'fe80::1' }, { proxiable: false }, 'fe80::1'],
    ['unique local', { content: 'fd00::1' }, { proxiable: false }, 'fd00::1'],
    ['multicast', { content: 'ff02::1' }, { proxiable: false }, 'ff02::1'],
    [
      'the placeholder for an origin without an address',
      { content: '100::' },
      { content: '100::', proxiable: true },
      '100::',
    ],
    ['the apex', { name: '@', content: '2001:db8::1' }, { name: 'example.com' }, '2001:db8::1'],
  ],
  invalid: [
    ['no content', {}, [9006], ['/content']],
    bad('no text', ''),
    bad('IPv4', '192.0.2.1'),
    bad('seven groups', '2001:db8:1:2:3:4:5'),
    bad('nine groups', '1:2:3:4:5:6:7:8:9'),
    bad('two gaps', '2001::db8::1'),
    bad('five digits', '2001:0db8f::1'),
    bad('a letter beyond f', '2001:db8::g'),
    bad('a zone id', 'fe80::1%eth0'),
    bad('brackets', '[2001:db8::1]'),
    bad('a network', '2001:db8::/32'),
    bad('three colons', '2001:db8:::1'),
    bad('a name', 'www.example.net'),
    bad('a wrong IPv4 at the end', '::ffff:192.0.2.256'),
    ['a list', { content: ['::1'] }, [6008], ['/content']],
  ],
}
