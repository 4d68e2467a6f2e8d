// Reads the change log, and checks the invariants of the log and of every counter.
import { expect } from 'vitest'
import { query, type Reader, RECORD_JSON, unpackOps } from '@zonereeve/storage'

export interface LoggedChange {
  readonly position: number
  readonly scope_id: string
  readonly number: number
  readonly at: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly actor_name: string
  readonly request_id: string
  readonly serial: number | null
  readonly ops: readonly LoggedOp[]
}

export interface LoggedOp {
  readonly kind: string
  readonly object_id: string
  readonly before: string | null
  readonly after: string | null
}

/** All change sets (of one scope) with their operations, oldest first. */
export async function readChangeLog(db: Reader, scopeId?: string): Promise<LoggedChange[]> {
  const all = query.selectFrom('changes').selectAll().orderBy('position')
  const sets = await db.all(scopeId === undefined ? all : all.where('scope_id', '=', scopeId))
  const ops = await db.all(
    query
      .selectFrom('change_ops')
      .selectAll()
      .where('position', '>=', sets[0]?.position ?? 0)
      .orderBy('position')
      .orderBy('ordinal'),
  )
  const blocks = await db.all(
    query.selectFrom('change_op_blocks').selectAll().orderBy('position').orderBy('ordinal'),
  )
  const packed = ({ position }: { readonly position: number }): LoggedOp[] =>
    blocks
      .filter((block) => block.position === position)
      .flatMap((block) => unpackOps(block).map(({ objectId, ...op }) => ({ ...op, object_id: objectId })))
  return sets.map((set) => ({
    ...set,
    ops: [...ops.filter((op) => op.position === set.position), ...packed(set)],
  }))
}

export async function countChanges(db: Reader): Promise<number> {
  const counted = query.selectFrom('changes').select(({ fn }) => fn.countAll<number>().as('sets'))
  return (await db.first(counted))?.sets ?? 0
}

/**
 * Checks that counters match the rows, search columns match their sources, and numbers of change sets have no
 * gaps.
 */
export async function expectConsistent(db: Reader, scopeId?: string): Promise<void> {
  const zones = await db.all(query.selectFrom('zones').selectAll())
  const records = await db.all(query.selectFrom('dns_records').selectAll().select(RECORD_JSON.as('body')))
  const counts = await db.all(query.selectFrom('record_counts').selectAll())
  const counted = zones.map(({ name, record_count, address_count }) => [name, record_count, address_count])
  expect(counted).toEqual(
    zones.map(({ id, name }) => {
      const own = records.filter((record) => record.zone_id === id)
      return [name, own.length, own.filter(({ type }) => type === 'A' || type === 'AAAA').length]
    }),
  )
  const unswept = await db.all(query.selectFrom('deleted_zones').select('zone_id'))
  const known = new Set([...zones.map(({ id }) => id), ...unswept.map(({ zone_id }) => zone_id)])
  expect(records.filter((record) => !known.has(record.zone_id))).toEqual([])
  expect(nonZero(counts.map((row) => [`${row.zone_id} ${row.type}`, row.count]))).toEqual(
    countedTypes(records),
  )
  for (const record of records) {
    const { id, name, type, content, ttl, zone_id } = record
    expect(JSON.parse(record.body)).toMatchObject({ id, name, type, content, ttl, zone_id })
  }
  expectNumbered(await readChangeLog(db, scopeId))
}

function countedTypes(records: readonly { zone_id: string; type: string }[]): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const { zone_id, type } of records) {
    counted[`${zone_id} ${type}`] = (counted[`${zone_id} ${type}`] ?? 0) + 1
  }
  return counted
}

const nonZero = (entries: readonly (readonly [string, number])[]): Record<string, number> =>
  Object.fromEntries(entries.filter(([, count]) => count !== 0))

function expectNumbered(log: readonly LoggedChange[]): void {
  const next = new Map<string, number>()
  for (const { scope_id, number, ops } of log) {
    const expected = next.get(scope_id) ?? 1
    expect({ scope_id, number, empty: ops.length === 0 }).toEqual({
      scope_id,
      number: expected,
      empty: false,
    })
    next.set(scope_id, expected + 1)
  }
}
