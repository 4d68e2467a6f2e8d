// How a zone becomes active, and its first serial: every state, every number of addresses.
import { describe, expect, test } from 'vitest'
import { statusAfter, type ZoneStatus } from './zones.rules.ts'

const moves: [from: ZoneStatus, addresses: number, to: ZoneStatus][] = [
  ['initializing', 0, 'initializing'],
  ['initializing', 1, 'initializing'],
  ['pending', 0, 'pending'],
  ['pending', 1, 'active'],
  ['pending', 2, 'active'],
  ['active', 0, 'active'],
  ['active', 1, 'active'],
  ['moved', 0, 'moved'],
  ['moved', 1, 'moved'],
]

describe('statusAfter', () => {
  test('has a move for every state', () => {
    expect(new Set(moves.map(([from]) => from)).size).toBe(4)
  })

  test.each(moves)('%s with %i addresses is %s', (from, addresses, to) => {
    expect(statusAfter(from, addresses)).toBe(to)
  })
})
