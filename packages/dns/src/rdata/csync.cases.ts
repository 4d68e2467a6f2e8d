import { u16, u32 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import type { Csync } from './csync.ts'
import type { TypeCases } from './type-cases.cases.ts'

const type = fc.constantFrom(1, 2, 5, 6, 15, 16, 28, 46, 47, 257, 4_711, 65_280)

export const csyncCases: TypeCases<Csync> = {
  valid: [
    ['the example of RFC 7477 §2.2', '66 3 A NS AAAA', '000000420003000460000008'],
    ['aliases', '66 3 CNAME DNAME', '00000042000300050400000001'],
    ['one type', '1 1 NS', '000000010001000120'],
    ['out of order', '1 0 AAAA A', '000000010000000440000008', '1 0 A AAAA'],
    ['a duplicate type', '1 0 A A', '000000010000000140', '1 0 A'],
    ['the highest numbers', '4294967295 65535 A', 'ffffffffffff000140'],
    ['types by number', '1 0 TYPE1 TYPE65280', '000000010000000140ff0180', '1 0 A TYPE65280'],
    ['two windows', '1 0 A CAA', '000000010000000140010140'],
    ['lower case', '1 0 a ns', '000000010000000160', '1 0 A NS'],
    ['parentheses', '( 66 3\n A NS )', '000000420003000160', '66 3 A NS'],
    ['a trailing comment', '66 3 A ; note', '000000420003000140', '66 3 A'],
    ['signatures', '1 0 RRSIG NSEC', '0000000100000006000000000003'],
  ],
  values: [
    ['66 3 A NS AAAA', { serial: 66, flags: 3, types: [1, 2, 28] }],
    ['0 0', { serial: 0, flags: 0, types: [] }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no flags', '66', 'text.missing', 2],
    ['no number', 'A 3', 'text.number', 0],
    ['flags over 65535', '1 65536 A', 'csync.flags', 2],
    ['a serial over 32 bits', '4294967296 1 A', 'csync.serial', 0],
    ['no type', '66 3 A XYZ', 'text.type', 7],
    ['a number as type', '66 3 1', 'text.type', 5],
    ['a query type', '66 3 ANY', 'csync.types', 5],
  ],
  badValue: [
    ['types out of order', { serial: 1, flags: 0, types: [2, 1] }, ['csync.types']],
    ['a number out of range', { serial: -1, flags: 0, types: [65_536] }, ['csync.serial', 'csync.types']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no flags', '00000042', 'wire.truncated'],
    ['an empty window', '0000004200030000', 'wire.value'],
    ['a window cut short', '000000420003000460', 'wire.truncated'],
  ],
  any: fc.record({
    serial: u32,
    flags: u16,
    types: fc.uniqueArray(type, { maxLength: 8 }).map((list) => list.toSorted((a, b) => a - b)),
  }),
}
