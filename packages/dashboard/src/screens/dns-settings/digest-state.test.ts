import { expect, test } from 'vitest'
import { digestStateOf, isDigestPending, verifiedDigestOf } from './digest-state.ts'

const ON = { enabled: true, digest_state: 'awaited' as const, digest_serial: null, soa_serial: 7 }

test.each([
  ['no transfers were set up', null, 'off', /not enabled/, false],
  ['transfers are off', { ...ON, enabled: false }, 'off', /not enabled/, false],
  ['it is being made', ON, 'expected', /being made/, true],
  [
    'the setting is not in effect yet, or the zone is not answered',
    { ...ON, digest_state: 'off' as const },
    'expected',
    /none yet/,
    true,
  ],
  [
    'a transfer makes it',
    { ...ON, digest_state: 'at_transfer' as const },
    'expected',
    /next transfer/,
    false,
  ],
  [
    'it is answered',
    { ...ON, digest_state: 'answered' as const, digest_serial: 6 },
    'normal',
    /serial 6/,
    false,
  ],
  ['the zone is too large', { ...ON, digest_state: 'too_large' as const }, 'warning', /too large/, false],
])('%s', (_, progress, tone, words, isPending) => {
  const state = digestStateOf(progress)
  expect(state.tone).toBe(tone)
  expect(state.words).toMatch(words)
  expect(isDigestPending(progress)).toBe(isPending)
})

test.each([
  ['nothing was transferred yet', 'waiting', null, '–'],
  [
    'a transfer had no digest, or none that could be used',
    'current',
    null,
    'not verified: no usable digest was sent',
  ],
  ['a transfer was verified', 'current', 7, 'serial 7 is verified'],
  ['and the zone is expired since then', 'expired', 7, 'serial 7 is verified'],
] as const)('of a secondary zone: %s', (_, state, serial, words) =>
  expect(verifiedDigestOf({ state, verified_serial: serial }).words).toBe(words),
)
