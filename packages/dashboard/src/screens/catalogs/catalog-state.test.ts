import { expect, test } from 'vitest'
import { stateOf } from './catalog-state.tsx'

const GOOD = { state: 'current' as const, held: null, problem: null, conflicts: [] }
const HELD = { serial: 3, members: 20, removed: 20, reset: 0, zones: [] }
const CONFLICT = { zone: 'a.example', problem: 'exists' }

test.each([
  ['all good', GOOD, 'normal', 'current'],
  ['not transferred yet', { ...GOOD, state: 'waiting' as const }, 'expected', 'waits for the first transfer'],
  ['the primary cannot be reached', { ...GOOD, problem: 'no answer' }, 'warning', 'not up to date'],
  [
    'a held version, which is a problem too',
    { ...GOOD, problem: 'held', held: HELD },
    'warning',
    'needs confirmation',
  ],
  ['a zone that exists already', { ...GOOD, conflicts: [CONFLICT] }, 'warning', 'conflicts'],
  [
    'expired, whatever else',
    { ...GOOD, state: 'expired' as const, problem: 'no answer' },
    'wrong',
    'expired',
  ],
  [
    'ending, whatever else',
    { ...GOOD, state: 'ending' as const, held: HELD },
    'expected',
    'its zones are deleted',
  ],
])('%s', (_, catalog, tone, words) => expect(stateOf(catalog)).toEqual({ tone, words }))
