// What of a plan an import did not do.
import { expect, test } from 'vitest'
import { findUndone, type Action, type Outcome } from './outcomes.ts'

const outcome = (action: Action, name: string, more: Partial<Outcome> = {}): Outcome => ({
  zone: 'example.com',
  object: 'record',
  name,
  action,
  ...more,
})
const settings = { object: 'DNS settings' }

test.each<readonly [string, readonly Outcome[], readonly Outcome[], readonly string[]]>([
  ['everything is done', [outcome('create', 'a')], [outcome('create', 'a')], []],
  ['it was there meanwhile', [outcome('create', 'a')], [outcome('unchanged', 'a')], []],
  ['one is refused', [outcome('create', 'a')], [outcome('left out', 'a')], ['a']],
  [
    'one is refused, and what the plan left out is not named again',
    [outcome('create', 'a'), outcome('left out', 'b')],
    [outcome('left out', 'a')],
    ['a'],
  ],
  [
    'the zone is refused with all that is in it',
    [outcome('create', 'z', { object: 'zone' }), outcome('create', 'a'), outcome('left out', 'b')],
    [outcome('left out', 'z', { object: 'zone' })],
    ['z', 'a'],
  ],
  [
    'one of two with the same name is refused',
    [outcome('create', 'a', { source_id: '1' }), outcome('create', 'a', { source_id: '2' })],
    [outcome('create', 'a', { source_id: '1' }), outcome('left out', 'a', { source_id: '2' })],
    ['a'],
  ],
  [
    'one setting of several is refused',
    [outcome('update', 'DNS settings', settings)],
    [outcome('left out', 'soa', settings), outcome('update', 'multi_provider', settings)],
    ['DNS settings'],
  ],
  [
    'settings of the plan are defaults of the new zone',
    [outcome('update', 'DNS settings', settings)],
    [outcome('unchanged', 'DNS settings', settings)],
    [],
  ],
  ['the same name in another zone', [outcome('create', 'a')], [outcome('create', 'a', { zone: 'b' })], ['a']],
])('%s', (_, planned, done, names) => {
  expect(findUndone(planned, done).map(({ name }) => name)).toEqual(names)
})
