// Which synthesized answers are stored, and which are evicted when the store is full.
import { expect, test } from 'vitest'
import { SynthesizedAnswers, MAX_NAMES } from './synthesized-answers.ts'
import type { SynthesizedName } from './synthesized-answers.ts'
import { synthesiseRrset } from './rrset.ts'

const NAMED: SynthesizedName = {
  rrset: synthesiseRrset(47, 60, [Uint8Array.of(0)]),
  hashLabel: undefined,
  signer: 1,
  sourceOctets: 0,
  source: '',
  ttl: 60,
  usableFrom: 0,
  refreshAt: 1,
}
const filled = (count: number, from = 0, made = new SynthesizedAnswers()): SynthesizedAnswers => {
  for (let i = from; i < from + count; i += 1) made.put(`n${i}`, { ...NAMED, ttl: i })
  return made
}
const known = (made: SynthesizedAnswers, ...numbers: readonly number[]): (number | undefined)[] =>
  numbers.map((i) => made.get(`n${i}`)?.ttl)

test('stores up to its size; one more evicts the oldest', () => {
  const made = filled(MAX_NAMES)
  expect([made.size, ...known(made, 0, MAX_NAMES - 1)]).toEqual([MAX_NAMES, 0, MAX_NAMES - 1])
  filled(1, MAX_NAMES, made)
  expect(made.size).toBe(MAX_NAMES)
})

test('names that all fit stay stored, however often they are used in turn', () => {
  const made = filled(MAX_NAMES)
  for (let round = 0; round < 3; round += 1)
    for (let i = 0; i < MAX_NAMES; i += 1) expect(made.get(`n${i}`)?.ttl).toBe(i)
})

test('a used name stays while many one-time names arrive', () => {
  const made = filled(100)
  for (let i = 100; i < 3 * MAX_NAMES; i += 1000) {
    filled(1000, i, made)
    expect(known(made, 7, 99)).toEqual([7, 99])
  }
  expect(known(made, 8, 98)).toEqual([undefined, undefined])
  expect(made.size).toBe(MAX_NAMES)
})

test('storing a name again replaces it', () => {
  const made = filled(2)
  made.put('n0', { ...NAMED, ttl: 7 })
  expect([made.size, ...known(made, 0, 1)]).toEqual([2, 7, 1])
  filled(MAX_NAMES - 1, 2, made)
  expect(known(made, 0, 1)).toEqual([7, undefined])
})
