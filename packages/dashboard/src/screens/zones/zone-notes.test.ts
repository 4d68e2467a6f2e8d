import { expect, test } from 'vitest'
import { nameNotes } from './zone-notes.ts'

test.each([
  ['an active primary zone', { status: 'active', paused: false, type: 'full' }, []],
  ['a pending one', { status: 'pending', paused: false, type: 'full' }, ['pending']],
  ['a paused one, whatever its status', { status: 'pending', paused: true, type: 'full' }, ['paused']],
  ['a pending secondary', { status: 'pending', paused: false, type: 'secondary' }, ['pending', 'secondary']],
  [
    'what no column says of a zone that needs attention',
    {
      status: 'active',
      paused: false,
      type: 'full',
      reasons: ['unreadable', 'transfer_failed', 'malicious'],
    },
    ['not answered', 'transfer failed'],
  ],
] as const)('%s', (_, zone, expected) =>
  expect(
    nameNotes({ ...zone, reasons: 'reasons' in zone ? [...zone.reasons] : [] }).map(({ text }) => text),
  ).toEqual(expected),
)
