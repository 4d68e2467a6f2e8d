// Catalog zones of other nameservers, valid and broken.
import { runAtOnce } from '@zonereeve/cooperate'
import { encodeRdata, parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import {
  NO_ZONE,
  UnusableCatalog,
  readCatalog,
  type CatalogContents,
  type CatalogEntry,
} from './read-catalog.ts'

type CatalogRecord = Extract<CatalogContents, { readonly kind: 'whole' }>['records'][number]

const APEX = parseName('catalog.example')
const utf8 = new TextEncoder()

/** `name TYPE value`; the name is relative to the catalog zone. */
function record(line: string): CatalogRecord {
  const [name = '', type = '', ...rest] = line.split(' ')
  const value = rest.join(' ')
  const owner = { name: parseName(name === '@' ? APEX : `${name}.${APEX}`), ttlSeconds: 0 }
  if (type === 'PTR') return { ...owner, type: 12, rdata: encodeRdata('PTR', { target: parseName(value) }) }
  if (type === 'TXT')
    return {
      ...owner,
      type: 16,
      rdata: encodeRdata('TXT', { strings: value.split('|').map((s) => utf8.encode(s)) }),
    }
  if (type === 'BAD') return { ...owner, type: 12, rdata: Uint8Array.of(9, 9) }
  return { ...owner, type: Number(type.replace('TYPE', '')), rdata: Uint8Array.of(1, 2, 3, 4) }
}

const VERSION = 'version TXT 2'
const whole = (...lines: string[]): CatalogContents => ({ kind: 'whole', records: lines.map(record) })
const difference = (removed: string[], added: string[]): CatalogContents => ({
  kind: 'difference',
  steps: [{ removed: removed.map(record), added: added.map(record) }],
})

const read = (contents: CatalogContents, before: readonly CatalogEntry[] = []) => [
  ...runAtOnce(readCatalog(APEX, contents, before)).values(),
]

const entry = (label: string, zone: string, more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  label,
  zone: parseName(zone),
  groups: [],
  newOwner: null,
  ...more,
})

describe('a valid catalog zone', () => {
  test.each<[string, string[], CatalogEntry[]]>([
    ['without members', [], []],
    ['a member', ['m1.zones PTR a.example'], [entry('m1', 'a.example')]],
    [
      'several groups, sorted, strings of one joined',
      ['m1.zones PTR a.example', 'group.m1.zones TXT z', 'group.m1.zones TXT no|signed'],
      [entry('m1', 'a.example', { groups: ['nosigned', 'z'] })],
    ],
    [
      'a change of ownership',
      ['m1.zones PTR a.example', 'coo.m1.zones PTR other.example'],
      [entry('m1', 'a.example', { newOwner: parseName('other.example') })],
    ],
    [
      'unknown properties, types and names are ignored',
      [
        'm1.zones PTR a.example',
        'label1.ext.m1.zones TXT x',
        'custom.ext TXT x',
        'serial.m1.zones TXT 5',
        'm1.zones TYPE1',
        'm1.zones TXT x',
        'm2 PTR b.example',
        'deep.m2.zones PTR b.example',
        'zones PTR c.example',
        'version PTR c.example',
        '@ TYPE2',
        '@ TXT 3',
      ],
      [entry('m1', 'a.example')],
    ],
    [
      'properties without a member',
      ['group.m1.zones TXT x', 'coo.m1.zones PTR b.example'],
      [{ label: 'm1', zone: NO_ZONE, groups: ['x'], newOwner: parseName('b.example') }],
    ],
    [
      'a group that no setting can name',
      ['m1.zones PTR a.example', 'group.m1.zones TXT a\nb'],
      [entry('m1', 'a.example')],
    ],
    [
      String.raw`a label with a dot`,
      [String.raw`m\.1.zones PTR a.example`],
      [entry(String.raw`m\.1`, 'a.example')],
    ],
  ])('%s', (_name, lines, expected) => {
    expect(read(whole(VERSION, ...lines))).toEqual(expected)
  })
})

describe('a broken catalog zone changes nothing', () => {
  test.each<[string, string[], RegExp]>([
    ['no version', ['m1.zones PTR a.example'], /no TXT record at version\.catalog\.example/],
    ['another version', ['version TXT 1'], /version of the catalog zone is "1"/],
    ['two versions', [VERSION, 'version TXT 3'], /several TXT records at version/],
    [
      'two zones of a member',
      [VERSION, 'm1.zones PTR a.example', 'm1.zones PTR b.example'],
      /several PTR records at m1\.zones/,
    ],
    [
      'a zone twice',
      [VERSION, 'm1.zones PTR a.example', 'm2.zones PTR a.example'],
      /a\.example is listed twice.* m1 and m2/,
    ],
    [
      'two new owners',
      [VERSION, 'm1.zones PTR a.example', 'coo.m1.zones PTR b.example', 'coo.m1.zones PTR c.example'],
      /several PTR records at coo\.m1/,
    ],
    ['malformed data', [VERSION, 'm1.zones BAD'], /record at m1\.zones\.catalog\.example is malformed/],
  ])('%s', (_name, lines, message) => {
    expect(() => read(whole(...lines))).toThrow(UnusableCatalog)
    expect(() => read(whole(...lines))).toThrow(message)
  })
})

describe('a difference', () => {
  const before = [entry('m1', 'a.example', { groups: ['x'] }), entry('m2', 'b.example')]
  test.each<[string, string[], string[], CatalogEntry[]]>([
    ['adds a member', [], ['m3.zones PTR c.example'], [...before, entry('m3', 'c.example')]],
    [
      'removes a member with its properties',
      ['m1.zones PTR a.example', 'group.m1.zones TXT x'],
      [],
      [entry('m2', 'b.example')],
    ],
    [
      'changes a group',
      ['group.m1.zones TXT x'],
      ['group.m1.zones TXT y'],
      [entry('m1', 'a.example', { groups: ['y'] }), entry('m2', 'b.example')],
    ],
    ['removes what is ignored', ['custom.ext TXT x'], [], before],
  ])('%s', (_name, removed, added, expected) => {
    expect(read(difference(removed, added), before)).toEqual(expected)
  })

  test.each<[string, string[], string[], RegExp]>([
    ['that removes what is not there', ['m9.zones PTR a.example'], [], /which is not there/],
    ['that removes the version', [VERSION], [], /no TXT record at version/],
    ['that lists a zone twice', [], ['m3.zones PTR a.example'], /listed twice/],
  ])('%s is refused', (_name, removed, added, message) => {
    expect(() => read(difference(removed, added), before)).toThrow(message)
  })
})

test('a difference adds the zone of a member whose properties came before', () => {
  const first = read(difference([], ['group.m1.zones TXT x', 'group.m2.zones TXT y']))
  const second = read(difference(['group.m2.zones TXT y'], ['m1.zones PTR a.example']), first)
  expect(second).toEqual([entry('m1', 'a.example', { groups: ['x'] })])
  expect(read(difference(['m1.zones PTR a.example', 'group.m1.zones TXT x'], []), second)).toEqual([])
})
