// The typed filter: what is a term, what is a word, what the server is asked.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeTerms } from '../../parts/terms.ts'
import { filterQuery, parseFilter, FILTER_FIELDS } from './record-filter.ts'

const TYPES = ['A', 'AAAA', 'MX', 'TXT']
const asked = (text: string, sort?: string) => filterQuery(parseFilter(text), sort, TYPES)

describe('the typed filter', () => {
  test.each([
    { name: 'nothing', typed: '', query: { order: 'name' } },
    { name: 'words', typed: ' mail  relay ', query: { search: 'mail relay', order: 'name' } },
    { name: 'a type', typed: 'type:mx', query: { type: 'MX', order: 'name' } },
    { name: 'types', typed: 'type:a,aaaa', query: { type: 'A,AAAA', order: 'name' } },
    { name: 'all but one type', typed: '-type:TXT', query: { type: 'A,AAAA,MX', order: 'name' } },
    { name: 'a part of the name', typed: 'name:WWW', query: { 'name.contains': 'www', order: 'name' } },
    { name: 'a tag', typed: 'tag:web', query: { 'tag.present': 'web', order: 'name' } },
    {
      name: 'a tag with its value',
      typed: 'tag:team:web',
      query: { 'tag.exact': 'team:web', order: 'name' },
    },
    { name: 'without a tag', typed: '-tag:web', query: { 'tag.absent': 'web', order: 'name' } },
    { name: 'proxied', typed: 'proxied:yes', query: { proxied: true, order: 'name' } },
    { name: 'not proxied', typed: '-proxied:yes', query: { proxied: false, order: 'name' } },
    { name: 'a term and words', typed: 'spf type:TXT', query: { search: 'spf', type: 'TXT', order: 'name' } },
    { name: 'an address is a word', typed: '2001:db8::1', query: { search: '2001:db8::1', order: 'name' } },
    { name: 'no field of ours', typed: 'colour:red', query: { search: 'colour:red', order: 'name' } },
    { name: 'what cannot be excluded', typed: '-name:www', query: { search: '-name:www', order: 'name' } },
    { name: 'a field without value', typed: 'type:', query: { search: 'type:', order: 'name' } },
  ])('$name: $typed', ({ typed, query }) => expect(asked(typed)).toEqual(query))

  test.each([
    ['-name', { order: 'name', direction: 'desc' }],
    ['ttl', { order: 'ttl' }],
    ['natural', { order: 'natural_name' }],
    ['nonsense', { order: 'name' }],
  ])('order %s', (sort, query) => expect(asked('', sort)).toEqual(query))

  test('what is written is read again', () => {
    const word = fc.stringMatching(/^[a-z0-9.]{1,8}$/)
    const term = fc.record({
      field: fc.constantFrom(...FILTER_FIELDS),
      isNot: fc.constant(false),
      value: fc.stringMatching(/^[a-z0-9.:]{1,8}$/),
    })
    const filter = fc.record({
      terms: fc.array(term, { maxLength: 4 }),
      words: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
    })
    fc.assert(
      fc.property(filter, (parsed) => {
        expect(parseFilter(writeTerms(parsed))).toEqual(parsed)
      }),
    )
  })

  test('any text is read, and asks nothing twice', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { terms, words } = parseFilter(text)
        expect(parseFilter(writeTerms({ terms, words }))).toEqual({ terms, words })
      }),
    )
  })
})
