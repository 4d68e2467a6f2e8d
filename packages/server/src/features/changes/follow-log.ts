// Reads the log to feed the event hub, for a node that did not write it.
import type { ChangeEvent, Reader } from '@zonereeve/storage'
import { kindsBetween, recordOpsBetween } from './change-ops.store.ts'
import { changesAfter } from './changes.store.ts'
import { eventsOf, type EventHub } from './events.ts'

const CHUNK_SIZE = 250

/**
 * Delivers the change sets after a position of the log, oldest first.
 *
 * @param reach called with the position of the last of the change sets that were delivered together.
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
    const { readTo, opsAt } = await recordOpsBetween(db, reached, last.position)
    // One beyond what was read is read alone, and those after it with the next ones.
    const read = changes.filter((change, index) => index === 0 || change.position <= readTo)
    const deliveries: { readonly at: number; readonly events: readonly ChangeEvent[] }[] = []
    for (const { position: at, ...change } of read) {
      const events = eventsOf({ ...change, kinds: kindsAt(at), ops: opsAt(at) })
      const joined = joinRecords(deliveries.at(-1)?.events, events)
      if (joined !== undefined) deliveries.pop()
      deliveries.push({ at, events: joined ?? events })
    }
    for (const { at, events } of deliveries) {
      const [failure] = await hub.follow(events)
      if (failure !== undefined) throw failure
      reached = at
      reach(at)
    }
    if (changes.length < CHUNK_SIZE && reached === last.position) return reached
  }
}

/** The event of two change sets that follow each other, if these changed only records of one zone: it is published once. */
function joinRecords(
  [first, ...rest]: readonly ChangeEvent[] = [],
  [next, ...others]: readonly ChangeEvent[],
): [ChangeEvent] | undefined {
  if (rest.length + others.length > 0 || first?.topic !== 'records' || next?.topic !== 'records')
    return undefined
  if (first.scopeId !== next.scopeId || first.ops === undefined || next.ops === undefined) return undefined
  const kinds = [...new Set([...first.kinds, ...next.kinds])]
  return [{ ...next, kinds, changeSets: 1 + (first.changeSets ?? 1), ops: [...first.ops, ...next.ops] }] // 1: it was not joined
}
