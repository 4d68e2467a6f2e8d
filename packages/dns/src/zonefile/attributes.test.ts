import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributesText, readAttributes } from './attributes.ts'
import type { RecordAttributes } from './attributes.ts'

const none = { comment: '', tags: [] }

describe('attributes in a comment', () => {
  const cases: [name: string, text: string, attributes: RecordAttributes | undefined][] = [
    ['nothing', '', none],
    ['a comment', ' the comment ', { comment: 'the comment', tags: [] }],
    ['tags alone', ' cf_tags=a,b:val', { comment: '', tags: ['a', 'b:val'] }],
    [
      'a comment and tags',
      ' the comment cf_tags=tag1,tag2:val',
      { comment: 'the comment', tags: ['tag1', 'tag2:val'] },
    ],
    ['a value in JSON', ' cf_tags=a:"x, y",b', { comment: '', tags: ['a:x, y', 'b'] }],
    ['proxied', ' cf_tags=cf-proxied:true', { comment: '', tags: [], proxied: true }],
    ['not proxied', ' x cf_tags=t:1,cf-proxied:false', { comment: 'x', tags: ['t:1'], proxied: false }],
    ['flattened', ' cf_tags=test:1,cf-flatten-cname', { comment: '', tags: ['test:1'], flattenCname: true }],
    [
      'one family of addresses',
      ' cf_tags=cf-proxied:true,cf-ipv4-only',
      { comment: '', tags: [], proxied: true, ipv4Only: true },
    ],
    ['IPv6 only', ' cf_tags=cf-ipv6-only', { comment: '', tags: [], ipv6Only: true }],
    ['the marker in the comment', ' see cf_tags=x cf_tags=', { comment: 'see cf_tags=x', tags: [] }],
    ['the marker inside a word', ' nocf_tags=x', { comment: 'nocf_tags=x', tags: [] }],
    ['whitespace before the marker', '  a  cf_tags=', { comment: ' a ', tags: [] }],
    ['an empty value', ' cf_tags=a:', { comment: '', tags: ['a:'] }],
    ['an unterminated JSON string', ' cf_tags=a:"x', undefined],
    ['a tag without a name', ' cf_tags=:x', undefined],
    ['words after the tags', ' cf_tags=a b', undefined],
    ['another value of cf-proxied', ' cf_tags=cf-proxied:yes', undefined],
    ['proxied without a value', ' cf_tags=cf-proxied', undefined],
    ['proxied with two values', ' cf_tags=cf-proxied:false:true', undefined],
    ['an option with a value', ' cf_tags=cf-flatten-cname:false', undefined],
    [
      'an option that is only like one',
      ' cf_tags=cf-ipv4-only2:x',
      { comment: '', tags: ['cf-ipv4-only2:x'] },
    ],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, attributes) => expect(readAttributes(text)).toEqual(attributes))
})

test('written attributes are read back', () => {
  const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, ''))
  const comment = fc.oneof(line, fc.constantFrom('cf_tags=', ' cf_tags=a', 'x cf_tags= ', '  ', 'a;b "c"'))
  const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/).filter((text) => !text.startsWith('cf-'))
  const tag = fc.oneof(
    name,
    fc
      .tuple(name, fc.oneof(line, fc.constantFrom('', 'a,b', '"', ' cf_tags=z', '\\')))
      .map((parts) => parts.join(':')),
  )
  const attributes = fc
    .record({
      comment,
      tags: fc.array(tag, { maxLength: 4 }),
      proxied: fc.constantFrom(undefined, true, false),
      flattenCname: fc.constantFrom(undefined, true as const),
      ipv4Only: fc.constantFrom(undefined, true as const),
      ipv6Only: fc.constantFrom(undefined, true as const),
    })
    .map(({ comment: given, tags, ...flags }) => ({
      comment: given,
      tags,
      ...Object.fromEntries(Object.entries(flags).filter(([, flag]) => flag !== undefined)),
    }))
  fc.assert(
    fc.property(attributes, (value) => {
      expect(readAttributes(attributesText(value))).toEqual(value)
    }),
  )
})
