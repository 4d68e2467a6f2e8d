import { anyName, plainName } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import type { Rp } from './rp.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const rpCases: TypeCases<Rp> = {
  valid: [
    [
      'a person and a text',
      'louie.trantor.umd.edu. lam1.people.umd.edu.',
      '056c6f756965077472616e746f7203756d640365647500046c616d310670656f706c6503756d640365647500',
    ],
    ['a person', 'admin.example.com. .', '0561646d696e076578616d706c6503636f6d0000'],
    ['a text', '. info.example.com.', '0004696e666f076578616d706c6503636f6d00'],
    ['neither', '. .', '0000'],
    [
      'upper case',
      'Admin.Example.com. Info.Example.com.',
      '0561646d696e076578616d706c6503636f6d0004696e666f076578616d706c6503636f6d00',
      'admin.example.com. info.example.com.',
    ],
    [
      'a dot in the local part',
      'first\\.last.example.com. .',
      '0a66697273742e6c617374076578616d706c6503636f6d0000',
    ],
    [
      'no trailing dots',
      'admin.example.com info.example.com',
      '0561646d696e076578616d706c6503636f6d0004696e666f076578616d706c6503636f6d00',
      'admin.example.com. info.example.com.',
    ],
    ['the same name twice', 'a.example. a.example.', '0161076578616d706c65000161076578616d706c6500'],
    ['an underscore', '_admin.example. .', '065f61646d696e076578616d706c650000'],
    ['one label', 'admin. .', '0561646d696e0000'],
    ['parentheses', '( admin.example.\n  . )', '0561646d696e076578616d706c650000', 'admin.example. .'],
  ],
  values: [
    ['admin.example. info.example.', { mailbox: n('admin.example'), text: n('info.example') }],
    ['. .', { mailbox: n('.'), text: n('.') }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['one name', 'a.', 'text.missing', 2],
    ['three names', 'a. b. c.', 'text.trailing', 6],
    ['an unescaped at sign is a name of its own', 'a@b..', 'name.empty-label'],
    ['an empty label', 'a. b..c.', 'name.empty-label'],
    ['quotes', '"a." b.', 'text.quoted-name'],
  ],
  badValue: [
    ['an address as mailbox', { mailbox: n('192.0.2.1'), text: n('.') }, ['rp.mailbox-address']],
    ['an address as text name', { mailbox: n('a'), text: n('2001:db8::1') }, ['rp.text-address']],
    ['two addresses', { mailbox: n('::1'), text: n('192.0.2.1') }, ['rp.mailbox-address', 'rp.text-address']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['one name', '016100', 'wire.truncated'],
    ['a pointer', '00c000', 'wire.pointer'],
    ['trailing data', '000000', 'wire.trailing'],
  ],
  any: fc.record({ mailbox: anyName, text: anyName }),
  oracle: {
    plain: fc.record({ mailbox: plainName, text: plainName }),
    toData: ({ mailbox, text }) => ({ mbox: mailbox, txt: text }),
  },
}
