// What is remembered of names that somebody asked for, and what goes when there is no more room.
import { expect, test } from 'vitest'
import { MadeNames, MAX_NAMES } from './made-names.ts'
import type { MadeName } from './made-names.ts'
import { synthesiseRrset } from './rrset.ts'

const NAMED: MadeName = {
  rrset: synthesiseRrset(47, 60, [Uint8Array.of(0)]),
  hashLabel: undefined,
  signer: 1,
  source: undefined,
  ttl: 60,
  usableFrom: 0,
  refreshAt: 1,
}
const filled = (count: number, from = 0, made = new MadeNames()): MadeNames => {
  for (let i = from; i < from + count; i += 1) made.put(`n${i}`, { ...NAMED, ttl: i })
  return made
}
const known = (made: MadeNames, ...numbers: readonly number[]): (number | undefined)[] =>
  numbers.map((i) => made.get(`n${i}`)?.ttl)

test('as many as there is room for stay, one more costs the oldest', () => {
  const made = filled(MAX_NAMES)
  expect([made.size, ...known(made, 0, MAX_NAMES - 1)]).toEqual([MAX_NAMES, 0, MAX_NAMES - 1])
  filled(1, MAX_NAMES, made)
  expect(made.size).toBe(MAX_NAMES)
})

test('all that fit are known, however often one goes through them', () => {
  const made = filled(MAX_NAMES)
  for (let round = 0; round < 3; round += 1)
    for (let i = 0; i < MAX_NAMES; i += 1) expect(made.get(`n${i}`)?.ttl).toBe(i)
})

test('what is used stays while masses come that nobody asks for again', () => {
  const made = filled(100)
  for (let i = 100; i < 3 * MAX_NAMES; i += 1000) {
    filled(1000, i, made)
    expect(known(made, 7, 99)).toEqual([7, 99])
  }
  expect(known(made, 8, 98)).toEqual([undefined, undefined])
  expect(made.size).toBe(MAX_NAMES)
})

test('what is put again is one, the newer', () => {
  const made = filled(2)
  made.put('n0', { ...NAMED, ttl: 7 })
  expect([made.size, ...known(made, 0, 1)]).toEqual([2, 7, 1])
  filled(MAX_NAMES - 1, 2, made)
  expect(known(made, 0, 1)).toEqual([7, undefined])
})
