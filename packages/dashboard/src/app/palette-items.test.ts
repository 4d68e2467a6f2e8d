import { describe, expect, test } from 'vitest'
import { labelParts, paletteItems, readTyped } from './palette-items.ts'

const context = {
  zone: 'example.com',
  path: '/zones/example.com/records',
  recent: ['example.com', 'example.net'],
  pinned: ['example.net', 'pinned.example'],
  found: ['shop.example.org'],
}
const offered = (typed: string, zone: string | undefined = 'example.com', path = context.path) =>
  paletteItems(typed, { ...context, zone, path, foundFor: readTyped(typed).words }).map(
    ({ group, label, target }) => ({
      group,
      label,
      at: 'path' in target ? target.path : 'pin' in target ? target.pin : target.theme,
    }),
  )

describe('what the palette offers', () => {
  test('nothing typed: recent zones first, then pages and commands', () => {
    const items = offered('')
    expect(items.slice(0, 3)).toEqual([
      { group: 'recent', label: 'example.com', at: '/zones/example.com/records' },
      { group: 'recent', label: 'example.net', at: '/zones/example.net/records' },
      { group: 'pinned', label: 'pinned.example', at: '/zones/pinned.example/records' },
    ])
    expect(items).toContainEqual({
      group: 'pages',
      label: 'example.com / DNSSEC',
      at: '/zones/example.com/dnssec',
    })
    expect(items).toContainEqual({
      group: 'commands',
      label: 'Add record',
      at: '/zones/example.com/records?edit=new',
    })
  })

  test.each([
    [
      'zones that were found keep the section',
      'shop',
      ['shop.example.org'],
      '/zones/shop.example.org/records',
    ],
    ['commands only', '>dark', ['Use the dark theme'], 'dark'],
    ['zones only', '@add', ['shop.example.org'], '/zones/shop.example.org/records'],
    ['every word must match', '>explain answer', ['Explain an answer'], '/zones/example.com/query'],
    ['a comparison', '>compare', ['Compare two serials'], '/zones/example.com/history?compare=last'],
    ['nothing matches', '>xyz', [], undefined],
  ])('%s', (_, typed, labels, at) => {
    const items = offered(typed)
    expect(items.map(({ label }) => label)).toEqual(labels)
    expect(items[0]?.at).toBe(at)
  })

  test.each([
    ['found for less than what is typed now', 's', 'shop', ['shop.example.org']],
    ['found for something else', 'sales', 'shop', ['shop.example.org']],
    ['none of those that were found', 's', 'add', []],
    [
      'found for what is typed, by another spelling',
      'bücher',
      'bücher',
      ['sales.example', 'shop.example.org'],
    ],
  ])('zones: %s', (_, foundFor, typed, labels) => {
    const found = ['sales.example', 'shop.example.org']
    const items = paletteItems(`@${typed}`, { ...context, found, foundFor })
    expect(items.map(({ label }) => label)).toEqual(labels)
  })

  test('a zone is pinned, and a pinned one is unpinned', () => {
    expect(offered('>pin').map(({ label, at }) => [label, at])).toEqual([['Pin example.com', 'example.com']])
    expect(offered('>pin', 'example.net').map(({ label }) => label)).toEqual(['Unpin example.net'])
  })

  test('without a zone there is nothing that needs one', () => {
    const items = paletteItems('', {
      zone: undefined,
      path: '/zones',
      recent: ['example.net'],
      pinned: [],
      found: [],
      foundFor: '',
    })
    expect(items[0]?.target).toEqual({ path: '/zones/example.net' })
    expect(items.map(({ label }) => label)).not.toContain('Add record')
  })
})

describe('what was typed, in a label', () => {
  test.each([
    ['nothing typed', 'shop.example.org', '', 'shop.example.org'],
    ['at the beginning', 'shop.example.org', 'shop', '[shop].example.org'],
    ['two words', 'example.com / Records', 'rec com', 'example.[com] / [Rec]ords'],
    ['words that touch', 'Records', 'rec ords', '[Records]'],
    ['found by the server, elsewhere', 'shop.example.org', 'bücher', 'shop.example.org'],
    ['a letter that is longer in lower case', 'İ shop', 'shop', 'İ shop'],
  ])('%s', (_, label, words, expected) => {
    const parts = labelParts(label, words)
    expect(parts.map(({ text, isTyped }) => (isTyped ? `[${text}]` : text)).join('')).toBe(expected)
  })
})
