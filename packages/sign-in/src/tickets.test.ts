// Tickets: one use, one purpose, a short time.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTickets } from './index.ts'

describe('a ticket', () => {
  test.each([
    ['once', 0, ['for a'], [true]],
    ['not twice', 0, ['for a', 'for a'], [true, false]],
    ['not for another purpose, which does not use it up', 0, ['for b', 'for a'], [false, true]],
    ['until its end', 999, ['for a'], [true]],
    ['not at its end', 1000, ['for a'], [false]],
  ])('is accepted %s', (_, waited, purposes, expected) => {
    let now = 5_000
    const tickets = createTickets(() => now, 1000)
    const ticket = tickets.issue('for a')
    now += waited
    expect(purposes.map((purpose) => tickets.take(ticket, purpose))).toEqual(expected)
  })

  test('of another process, or with any other octet, is not accepted', () => {
    const now = () => 0
    const [tickets, others] = [createTickets(now, 1000), createTickets(now, 1000)]
    expect(tickets.take(others.issue('a'), 'a')).toBe(false)
    fc.assert(
      fc.property(fc.nat(55), fc.integer({ min: 1, max: 255 }), (at, flipped) => {
        const octets = Buffer.from(tickets.issue('a'), 'base64url')
        octets[at] = Number(octets[at]) ^ flipped
        expect(tickets.take(octets.toString('base64url'), 'a')).toBe(false)
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tickets.take(text, 'a')).toBe(false)
      }),
    )
  })

  test('has secrets of its own, the same each time', () => {
    const tickets = createTickets(() => 0, 1000)
    const [one, two] = [tickets.issue('a'), tickets.issue('a')]
    const derived = [tickets.derive(one, 'x'), tickets.derive(one, 'y'), tickets.derive(two, 'x')]
    expect(new Set(derived).size).toBe(3)
    expect(derived[0]).toMatch(/^[\w-]{43}$/)
    expect(tickets.derive(one, 'x')).toBe(derived[0])
  })
})
