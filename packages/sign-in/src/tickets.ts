// Tickets: random values that this process made for a purpose, for a short time, and that are accepted once. Nothing is
// stored when one is made, so that requests of strangers cannot crowd out those of others.
import { BoundedMap } from '@zonereeve/cooperate'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const RANDOM_OCTETS = 18
const TIME_OCTETS = 6
const MAC_OCTETS = 32
const MAX_USED = 10_000

export interface Tickets {
  /** @param purpose what the ticket is good for, with the session or the user that it belongs to. */
  readonly issue: (purpose: string) => string
  /** Uses up a ticket. @returns whether it was made for the purpose, is in its time, and was not used before. */
  readonly take: (ticket: string, purpose: string) => boolean
  /** A secret that belongs to the ticket, 43 characters of base64url. It needs no memory either. */
  readonly derive: (ticket: string, name: string) => string
}

/** @param now milliseconds since the epoch. @param lifeMillis how long a ticket is valid. */
export function createTickets(now: () => number, lifeMillis: number): Tickets {
  const key = randomBytes(MAC_OCTETS)
  const used = new BoundedMap<string, true>(MAX_USED)
  const macOf = (head: Buffer, purpose: string): Buffer =>
    createHmac('sha256', key).update(head).update(`ticket ${purpose}`).digest()
  return {
    issue(purpose) {
      const head = randomBytes(TIME_OCTETS + RANDOM_OCTETS)
      head.writeUIntBE(now() + lifeMillis, 0, TIME_OCTETS)
      return Buffer.concat([head, macOf(head, purpose)]).toString('base64url')
    },
    take(ticket, purpose) {
      const octets = Buffer.from(ticket, 'base64url')
      if (octets.length !== TIME_OCTETS + RANDOM_OCTETS + MAC_OCTETS) return false
      const head = octets.subarray(0, TIME_OCTETS + RANDOM_OCTETS)
      if (!timingSafeEqual(octets.subarray(head.length), macOf(head, purpose))) return false
      const id = head.toString('base64url')
      if (head.readUIntBE(0, TIME_OCTETS) <= now() || used.get(id) !== undefined) return false
      used.set(id, true)
      return true
    },
    derive: (ticket, name) => createHmac('sha256', key).update(`${name} of ${ticket}`).digest('base64url'),
  }
}
