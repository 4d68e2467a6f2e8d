// Reads the log to feed the event hub, for a node that did not write it.
import type { Reader } from '@zonereeve/storage'
import { kindsAt } from './change-ops.store.ts'
import { changesAfter } from './changes.store.ts'
import { eventsOf, type EventHub } from './events.ts'

const CHUNK_SIZE = 250

/**
 * Delivers the change sets after a position of the log, oldest first.
 *
 * @returns the last position delivered.
 */
export async function followLog(
  db: Reader,
  hub: Pick<EventHub, 'deliver'>,
  position: number,
): Promise<number> {
  let reached = position
  for (;;) {
    const changes = await changesAfter(db, reached, CHUNK_SIZE)
    for (const { position: at, ...change } of changes) {
      await hub.deliver(eventsOf({ ...change, kinds: await kindsAt(db, at) }))
      reached = at
    }
    if (changes.length < CHUNK_SIZE) return reached
  }
}
