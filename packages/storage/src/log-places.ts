// Places in the change log that units of a transaction know without asking: no other process appends to it meanwhile. Positions are
// reserved for the units that wait, and numbers follow from the last one of the scope.
import { rawQuery } from './engine.ts'
import { sql } from './query.ts'
import { type Memory, placeIn, readAt } from './row-memory.ts'
import type { Reader } from './storage.ts'

/** Where a change set is in the log, and in its scope. */
export interface LogPlace {
  readonly position: number
  readonly number: number
}

interface Known {
  readonly numbers: Map<string, number>
  /** The next reserved position, and the last one. */
  next: number
  last: number
}

const knownBy = new WeakMap<Memory, Known>()

/** The place of the scope's next change set, which is then taken; undefined if the database has to be asked. */
export function takeLogPlace(memory: Memory | undefined, scopeId: string): LogPlace | undefined {
  const known = memory && knownBy.get(memory)
  const number = known?.numbers.get(scopeId)
  if (known === undefined || number === undefined || known.next > known.last) return undefined
  known.numbers.set(scopeId, number + 1)
  const position = known.next
  known.next += 1
  return { position, number: number + 1 }
}

/**
 * Reads ahead what `takeLogPlace` needs for the first change set of a scope: before the first unit runs. @param readNumber
 * reads the number of its last change set
 */
export async function readLogPlace(
  db: Reader,
  scopeId: string,
  readNumber: () => Promise<number>,
): Promise<void> {
  const { memory } = db
  if (memory === undefined) return
  const [number] = await Promise.all([
    readAt(db, placeIn('changes', scopeId), readNumber),
    readAt(db, placeIn('changes'), () => reserve(memory, db.first)),
  ])
  noteLogPlace(memory, scopeId, { number })
}

/**
 * Reserves positions for the units that follow, after that of a change set which is being inserted: later ones must not be
 * before it. Call it at once after sending that.
 */
export async function reserveLogPlaces({ memory, first }: Pick<Reader, 'memory' | 'first'>): Promise<void> {
  if (memory !== undefined) await reserve(memory, first)
}

/** One for each unit that follows. What is left of earlier reservations is dropped. */
async function reserve(memory: Memory, first: Reader['first']): Promise<void> {
  const known = knownBy.get(memory) ?? { numbers: new Map(), next: 1, last: 0 }
  knownBy.set(memory, known)
  known.next = known.last + 1
  const count = memory.unitsAfter
  if (count === 0) return
  const reserved = await first(
    rawQuery(
      sql<{ last: number }>`select setval(s.name, nextval(s.name) + ${count - 1}) as last
        from (select pg_get_serial_sequence('changes', 'position')::regclass as name) as s`,
    ),
  )
  if (reserved === undefined) return
  known.next = reserved.last - count + 1
  known.last = reserved.last
}

/** Notes the number of the last change set of a scope. */
export function noteLogPlace(
  memory: Memory | undefined,
  scopeId: string,
  { number }: Pick<LogPlace, 'number'>,
): void {
  if (memory !== undefined) knownBy.get(memory)?.numbers.set(scopeId, number)
}
