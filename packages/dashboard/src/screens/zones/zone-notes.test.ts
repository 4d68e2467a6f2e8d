import { expect, test } from 'vitest'
import { nameNotes } from './zone-notes.ts'

test.each([
  ['an active primary zone', { status: 'active', paused: false, type: 'full' }, []],
  ['a pending one', { status: 'pending', paused: false, type: 'full' }, ['pending']],
  ['a paused one, whatever its status', { status: 'pending', paused: true, type: 'full' }, ['paused']],
  ['a pending secondary', { status: 'pending', paused: false, type: 'secondary' }, ['pending', 'secondary']],
] as const)('%s', (_, zone, expected) => expect(nameNotes(zone).map(({ text }) => text)).toEqual(expected))
