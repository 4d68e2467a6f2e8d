// Reads the log to feed the event hub, for a node that did not write it.
import type { Reader } from '@zonereeve/storage'
import { kindsBetween, recordOpsBetween } from './change-ops.store.ts'
import { changesAfter } from './changes.store.ts'
import { eventsOf, type EventHub } from './events.ts'

const CHUNK_SIZE = 250

/**
 * Delivers the change sets after a position of the log, oldest first.
 *
 * @param reach called with the position of each change set, once it is delivered.
 * @returns the last position delivered.
 * @throws DomainError: the database does not answer; the change set after the last position is to be delivered again
 */
export async function followLog(
  db: Reader,
  hub: Pick<EventHub, 'follow'>,
  position: number,
  reach: (position: number) => void = () => {},
): Promise<number> {
  let reached = position
  for (;;) {
    const changes = await changesAfter(db, reached, CHUNK_SIZE)
    const last = changes.at(-1)
    if (last === undefined) return reached
    const kindsAt = await kindsBetween(db, reached, last.position)
    const opsAt = await recordOpsBetween(db, reached, last.position)
    for (const { position: at, ...change } of changes) {
      const [failure] = await hub.follow(eventsOf({ ...change, kinds: kindsAt(at), ops: opsAt(at) }))
      if (failure !== undefined) throw failure
      reached = at
      reach(at)
    }
    if (changes.length < CHUNK_SIZE) return reached
  }
}
