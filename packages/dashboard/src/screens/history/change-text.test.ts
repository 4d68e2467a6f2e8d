import { describe, expect, test } from 'vitest'
import { changeMark, changeText, summaryOf } from './change-text.ts'

const record = {
  name: 'www.example.com',
  type: 'A',
  content: '192.0.2.1',
  ttl: 300,
  proxied: false,
  comment: null,
  tags: [],
}
const one = (before: object | null, after: object | null) => {
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
  return {
    operations: 1,
    kinds: [{ kind: `dns_record.${verb}`, operations: 1 }],
    first_record: { before, after },
  }
}
const many = (operations: number, kinds: Record<string, number>, after: object | null = record) => ({
  operations,
  kinds: Object.entries(kinds).map(([kind, count]) => ({ kind, operations: count })),
  first_record: after === null ? null : { before: null, after },
})

describe('a change set in a few words', () => {
  test.each([
    ['added', one(null, record), 'www A added: 192.0.2.1', 'add'],
    ['at the apex', one(null, { ...record, name: 'example.com' }), '@ A added: 192.0.2.1', 'add'],
    ['deleted', one(record, null), 'www A deleted: 192.0.2.1', 'remove'],
    ['value', one(record, { ...record, content: '192.0.2.7' }), 'www A changed to 192.0.2.7', 'change'],
    [
      'value and TTL',
      one(record, { ...record, content: '192.0.2.7', ttl: 60 }),
      'www A changed to 192.0.2.7',
      'change',
    ],
    ['name', one(record, { ...record, name: 'new.example.com' }), 'www A is now new A', 'change'],
    ['TTL', one(record, { ...record, ttl: 1 }), 'www A: TTL auto', 'change'],
    ['proxied', one(record, { ...record, proxied: true }), 'www A: proxied', 'change'],
    ['comment', one(record, { ...record, comment: 'x' }), 'www A: comment changed', 'change'],
    ['tags', one(record, { ...record, tags: ['x'] }), 'www A: tags changed', 'change'],
    ['settings', one(record, { ...record, settings: {} }), 'www A: settings changed', 'change'],
    ['several', many(3, { 'dns_record.delete': 3 }), '3 records deleted', 'remove'],
    [
      'mixed',
      many(4, { 'dns_record.delete': 1, 'dns_record.create': 3 }),
      '1 record deleted, 3 added',
      'change',
    ],
    [
      'large',
      many(100_000, { 'dns_record.create': 1_000 }),
      '100,000 operations, first: www A added: 192.0.2.1',
      'add',
    ],
    ['settings of DNS', many(1, { 'dns_settings.update': 1 }, null), 'DNS settings changed', 'info'],
    ['twice the same', many(2, { 'zone_setting.update': 2 }, null), 'Zone setting changed (2 times)', 'info'],
    ['another verb', many(1, { 'ruleset.rule_create': 1 }, null), 'Ruleset rule added', 'info'],
    ['a kind with a name of its own', many(1, { 'zone.answers': 1 }, null), 'DNS answers changed', 'info'],
    [
      'two nouns in one sentence',
      many(4, { 'ruleset.update': 1, 'waf_migration.update': 1, 'dnssec.update': 2 }, null),
      'Ruleset changed, migration changed, DNSSEC changed (2 times)',
      'info',
    ],
    [
      'kinds with names of their own in one sentence',
      many(3, { 'zone.update': 1, 'zone.activate': 1, 'zone.answers': 1 }, null),
      'Zone changed, zone activated, DNS answers changed',
      'info',
    ],
    ['an order', many(1, { 'ruleset.reorder': 1 }, null), 'Ruleset reordered', 'info'],
    ['an unknown kind', many(1, { 'thing.update': 1 }, null), 'thing changed', 'info'],
    ['empty', many(0, {}, null), 'No change', 'info'],
  ])('%s', (_, change, text, mark) => {
    expect([changeText(change, 'example.com'), changeMark(change)]).toEqual([text, mark])
  })
})

test.each([
  ['one record', [['dns_record.create', null, record]], 'www A added: 192.0.2.1'],
  [
    'several',
    [
      ['dns_record.delete', record, null],
      ['dns_record.create', null, record],
    ],
    '1 record deleted, 1 added',
  ],
  ['what the reader may not see', [['dns_record.delete', null, null]], '1 record deleted'],
  ['no record', [['zone.create', null, { id: 'a' }]], 'Zone added'],
])('operations in the same words: %s', (_, ops, expected) => {
  const given = ops.map(([kind, before, after]) => ({ kind: String(kind), object_id: 'a', before, after }))
  expect(changeText(summaryOf(given), 'example.com')).toBe(expected)
})
