// What the check of names reports, and what it accepts.
import { describe, expect, test } from 'vitest'
import { mentionsIn, wordsOf } from './glossary.ts'

const SOURCE = 'packages/server/src/features/zones/zones/zones.service.ts'
const TEST = 'packages/server/src/features/zones/zones/zones.test.ts'

test.each([
  ['demandZone', 'demand zone'],
  ['DEMAND_ZONE', 'demand zone'],
  ['demand-zone', 'demand zone'],
  ['readHTTPBody', 'read http body'],
])('the words of %s', (name, words) => {
  expect(wordsOf(name)).toBe(words)
})

describe('refuses', () => {
  test.each([
    ['a function', SOURCE, 'function demandZone() {}', ['demandZone: use requireX or getXOrThrow']],
    ['a constant', SOURCE, 'const USUAL_TTL = 300', ['USUAL_TTL: use default']],
    ['a parameter', SOURCE, 'const a = (texts: string[]) => 1', ['texts: use strings']],
    ['a type', SOURCE, 'interface Surroundings {}', ['Surroundings: use context, scope or description']],
    ['a member', SOURCE, 'interface A { aside: 1 }', ['aside: use offload, dispatchSlow or rebuildAndSwap']],
    [
      'a private member',
      SOURCE,
      'class A { readonly #kept = 1 }',
      ['#kept: use a noun that says what it holds'],
    ],
    [
      'a participle as the name of a function',
      SOURCE,
      'const ranked = () => 1',
      ['ranked: use a verb and its object'],
    ],
    ['a renamed member', SOURCE, 'const { a: told } = b', ['told: use notified, reported; notify, report']],
    [
      'a file',
      'packages/server/src/features/zones/zones/serving.ts',
      '',
      ['packages/server/src/features/zones/zones/serving.ts: use publication'],
    ],
  ])('%s', (_, path, text, lines) => {
    expect(mentionsIn(path, text).map(({ name, use }) => `${name}: use ${use}`)).toEqual(lines)
  })

  test('with the line', () => {
    expect(mentionsIn(SOURCE, '\n\nconst usual = 1')).toEqual([{ line: 3, name: 'usual', use: 'default' }])
  })
})

describe('accepts', () => {
  test.each([
    ['the word inside another word', SOURCE, 'const unusual = 1, retelling = 2, contexts = 3'],
    ['a string', SOURCE, "const a = 'usual'"],
    ['a destructured member of another type', SOURCE, 'const { told } = a'],
    ['a participle as the name of a value', SOURCE, 'const ranked = [1]'],
    ['a participle as the name of a test step', TEST, 'const ranked = () => 1'],
    ['a verb that ends like a participle', SOURCE, 'const seed = () => 1'],
    ['the name of a column', 'packages/storage/src/tables/dns.ts', 'const followed_zones = 1'],
    ['the exchange of an MX record', 'packages/dns/src/rdata/mx.ts', 'interface Mx { exchange: string }'],
  ])('%s', (_, path, text) => {
    expect(mentionsIn(path, text)).toEqual([])
  })
})
