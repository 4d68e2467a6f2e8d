import { expect, test } from 'vitest'
import { catalogDraft, isComplete, NEW_CATALOG, withGroup, writtenCatalog } from './catalog-draft.ts'

const STORED = {
  peers: ['p1'],
  groups: [{ name: 'internal', peers: ['p2', 'p1'] }],
  auto_refresh_seconds: 300,
}

test('what is not edited is stored as it was, also what the form does not show', () =>
  expect(writtenCatalog(catalogDraft(STORED))).toEqual(STORED))

test('a new one has the default of the server', () =>
  expect(writtenCatalog(NEW_CATALOG)).toEqual({ peers: [], groups: [] }))

test('each added group has a key of its own, also after others were removed', () => {
  const groups = withGroup(withGroup(withGroup([])))
  const [, second, third] = groups
  expect(withGroup([second, third].flatMap((group) => group ?? [])).map(({ key }) => key)).toEqual([1, 2, 3])
})

test.each([
  ['nothing is chosen', NEW_CATALOG, false],
  ['a primary', { ...NEW_CATALOG, peers: ['p1'] }, true],
  [
    'a group without a name',
    { ...catalogDraft(STORED), groups: [{ key: 0, name: ' ', peers: ['p1'] }] },
    false,
  ],
  [
    'a group without primaries',
    { ...catalogDraft(STORED), groups: [{ key: 0, name: 'a', peers: [] }] },
    false,
  ],
  ['a whole group', catalogDraft(STORED), true],
])('can be sent: %s', (_, draft, expected) => expect(isComplete(draft)).toBe(expected))
