import { expect, test } from 'vitest'
import { rebasedDraft } from './stored-draft.ts'

const STORED = { name: 'a', soa: { refresh: '10000', retry: '2400' } }
const RETRIED = { name: 'a', soa: { refresh: '10000', retry: '1200' } }

test.each([
  ['nothing is edited', STORED, STORED, RETRIED, RETRIED],
  ['what a save sent is stored', RETRIED, RETRIED, RETRIED, RETRIED],
  [
    'a save is stored in another form',
    { ...STORED, name: ' b ' },
    { ...STORED, name: ' b ' },
    { ...STORED, name: 'b' },
    { ...STORED, name: 'b' },
  ],
  [
    'a member is edited after the save of another',
    { ...RETRIED, soa: { ...RETRIED.soa, refresh: '5' } },
    RETRIED,
    RETRIED,
    { ...RETRIED, soa: { refresh: '5', retry: '1200' } },
  ],
  [
    'the saved member is edited again',
    { ...STORED, soa: { ...STORED.soa, retry: '12' } },
    RETRIED,
    RETRIED,
    { ...STORED, soa: { ...STORED.soa, retry: '12' } },
  ],
  [
    'another client changes another member',
    { ...STORED, name: 'mine' },
    STORED,
    RETRIED,
    { ...RETRIED, name: 'mine' },
  ],
  [
    'another client changes the edited member',
    { ...STORED, name: 'mine' },
    STORED,
    { ...STORED, name: 'theirs' },
    { ...STORED, name: 'mine' },
  ],
])('%s', (_, draft, base, stored, expected) => {
  expect(rebasedDraft(draft, base, stored)).toEqual(expected)
})
