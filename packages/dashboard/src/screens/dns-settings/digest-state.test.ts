import { expect, test } from 'vitest'
import { digestStateOf, isDigestPending } from './digest-state.ts'

const ON = { enabled: true, digest_state: 'awaited' as const, digest_serial: null, soa_serial: 7 }

test.each([
  ['no transfers were set up', null, 'off', /not enabled/, false],
  ['transfers are off', { ...ON, enabled: false }, 'off', /not enabled/, false],
  ['it is being made', ON, 'expected', /being made/, true],
  [
    'the setting is not in effect yet',
    { ...ON, digest_state: 'off' as const },
    'expected',
    /being made/,
    false,
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
