// Operations of change sets. The first of each are rows; those of a large change set that follow are packed in blocks,
// which take a thirtieth of the space: most of their texts is the same in each.
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import {
  addToOpBlock,
  type ChangeOp,
  checksum,
  type Database,
  emptyOpBlock,
  type OpBlock,
  packOps,
  prepare,
  query,
  type Reader,
  sql,
  type SqlBool,
  tables,
  throwDamagedRow,
  type Transaction,
  unpackOps,
} from '@zonereeve/storage'
import { isTemporary } from './events.ts'

/** Operations of a change set that are rows. Its summary describes these, and filters find them by SQL. */
export const OPS_IN_ROWS = 1_000
/** Packing takes some time for each block, whatever is in it. */
const OPS_IN_BLOCK = 500

export interface OpWriter {
  append(operations: readonly ChangeOp[]): Promise<void>
  /** Stores what {@link append} has not stored yet. */
  flush(): Promise<void>
}

/** Writes operations of the change set at `position`, from an ordinal on, while they are made. */
export function createOpWriter(tx: Transaction, position: number, firstOrdinal: number): OpWriter {
  let ordinal = firstOrdinal
  let waiting = emptyOpBlock()
  let packing: Promise<OpBlock> | undefined
  return { append, flush }

  async function append(operations: readonly ChangeOp[]): Promise<void> {
    const inRows = operations.slice(0, Math.max(0, OPS_IN_ROWS - ordinal))
    for (const operation of inRows) {
      await insertRow(tx, { position, ordinal, ...operation })
      ordinal += 1
      await tx.yieldIfDue()
    }
    for (const operation of operations.slice(inRows.length)) {
      addToOpBlock(waiting, operation)
      if (waiting.operations === OPS_IN_BLOCK) await pack()
    }
  }

  /** Stores the block before while this one is packed by another thread. */
  async function pack(): Promise<void> {
    const next = packOps(position, ordinal, waiting)
    ordinal += waiting.operations
    waiting = emptyOpBlock()
    await store()
    packing = next
  }

  async function store(): Promise<void> {
    if (packing !== undefined) await blocks.insert(tx, await packing)
    packing = undefined
    await tx.yieldIfDue()
  }

  async function flush(): Promise<void> {
    if (waiting.operations > 0) await pack()
    await store()
  }
}

/** The ordinal after the last operation of a change set. */
export async function nextOrdinal(db: Reader, position: number): Promise<number> {
  const row = await db.first(opsBelow({ position, ordinal: Number.MAX_SAFE_INTEGER }))
  const block = await db.first(blocksBelow({ position, ordinal: Number.MAX_SAFE_INTEGER }))
  if (block !== undefined) return block.ordinal + block.operations
  return row === undefined ? 0 : row.ordinal + 1
}

/** The operations of a change set in their order, in chunks. */
export async function* opsForward(db: Reader, position: number): AsyncGenerator<readonly ChangeOp[]> {
  let above = -1
  for (;;) {
    const rows = await db.all(opsAbove({ position, ordinal: above }))
    yield rows.map(toOp)
    above = rows.at(-1)?.ordinal ?? above
    if (rows.length < CHUNK_SIZE) break
  }
  if (above < OPS_IN_ROWS - 1) return // there are no blocks
  for (;;) {
    const block = await db.first(blocksAbove({ position, ordinal: above }))
    if (block === undefined) return
    yield unpackOps(block)
    above = block.ordinal
  }
}

/** The same from the last to the first. */
export async function* opsBackward(db: Reader, position: number): AsyncGenerator<readonly ChangeOp[]> {
  let rows = await db.all(opsBelow({ position, ordinal: Number.MAX_SAFE_INTEGER }))
  const last = rows[0]?.ordinal
  if (last !== undefined && last >= OPS_IN_ROWS - 1) yield* packedBackward(db, position)
  for (;;) {
    yield rows.map(toOp)
    const ordinal = rows.at(-1)?.ordinal
    if (ordinal === undefined || rows.length < CHUNK_SIZE) return
    rows = await db.all(opsBelow({ position, ordinal }))
  }
}

async function* packedBackward(db: Reader, position: number): AsyncGenerator<readonly ChangeOp[]> {
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const block = await db.first(blocksBelow({ position, ordinal: below }))
    if (block === undefined) return
    yield unpackOps(block).toReversed()
    below = block.ordinal
  }
}

/** The change sets of a scope after one number, up to another. */
export interface ChangeRange {
  readonly scopeId: string
  readonly after: number
  readonly last: number
}

/** The operations of a range, from the last to the first, in chunks: small change sets need no query each. */
export async function* opsOfRange(
  db: Reader,
  { scopeId, after, last }: ChangeRange,
): AsyncGenerator<readonly ChangeOp[]> {
  let place = { number: last, ordinal: Number.MAX_SAFE_INTEGER }
  let position: number | undefined
  for (;;) {
    const rows = await db.all(opsInRange({ scopeId, after, ...place }))
    let ops: ChangeOp[] = []
    for (const row of rows) {
      if (row.position !== position && row.ordinal >= OPS_IN_ROWS - 1) {
        yield ops
        ops = []
        yield* packedBackward(db, row.position)
      }
      position = row.position
      ops.push(toOp(row))
    }
    yield ops
    const end = rows.at(-1)
    if (end === undefined || rows.length < CHUNK_SIZE) return
    place = { number: end.number, ordinal: end.ordinal }
  }
}

/** Number of change sets in a range, and of their operations, counted up to `limit`. */
export async function countRange(
  db: Reader,
  range: ChangeRange,
  limit: number,
): Promise<{ readonly changes: number; readonly operations: number }> {
  const changes = await db.first(changesInRange(range).select(sql<number>`count(*)`.as('count')))
  const rows = changesInRange(range)
    .innerJoin('change_ops', 'change_ops.position', 'changes.position')
    .select('ordinal')
    .limit(limit)
  const packed = changesInRange(range).innerJoin(
    'change_op_blocks',
    'change_op_blocks.position',
    'changes.position',
  )
  const inRows = await db.first(
    query.selectFrom(rows.as('counted')).select(sql<number>`count(*)`.as('count')),
  )
  // PostgreSQL adds integers to a decimal.
  const sum = sql<number>`cast(coalesce(sum(operations), 0) as bigint)`
  const inBlocks = await db.first(packed.select(sum.as('count')))
  const operations = (inRows?.count ?? 0) + (inBlocks?.count ?? 0) // each returns one row
  return { changes: changes?.count ?? 0, operations: Math.min(limit, operations) }
}

const changesInRange = ({ scopeId, after, last }: ChangeRange) =>
  query
    .selectFrom('changes')
    .where('scope_id', '=', scopeId)
    .where('number', '>', after)
    .where('number', '<=', last)

/** Number of operations after a position of the log, counted up to `limit`. */
export async function countOpsAfter(db: Reader, position: number, limit: number): Promise<number> {
  const ops = query.selectFrom('change_ops').select('ordinal').where('position', '>', position)
  const packed = query.selectFrom('change_op_blocks').select('operations').where('position', '>', position)
  const inRows = await db.all(ops.limit(limit))
  const inBlocks = await db.all(packed.limit(limit))
  return Math.min(
    limit,
    inBlocks.reduce((sum, { operations }) => sum + operations, inRows.length),
  )
}

/** Reads the kinds of operations in all change sets after a position, up to another. @returns those of one of them. */
export async function kindsBetween(db: Reader, after: number, to: number): Promise<(at: number) => string[]> {
  const found = await db.all(kindsIn({ after, to }))
  const kindsOf = (at: number) => found.filter(({ position }) => position === at).map(({ kinds }) => kinds)
  return (at) => [...new Set(kindsOf(at).flatMap((kinds) => kinds.trim().split('\n')))]
}

/**
 * Reads the operations on records of all change sets after a position, up to another: as many as one statement reads.
 *
 * @returns the last position that was read, and the operations of a change set: undefined if large, beyond it, or unreadable.
 */
export async function recordOpsBetween(db: Reader, after: number, to: number) {
  const rows = await db.all(recordOpsIn({ after, to })).catch((failure: unknown) => {
    if (isTemporary(failure)) throw failure
    return undefined // a row is unreadable: those of other change sets may be readable
  })
  // Of the change set with the last row, more may follow.
  const end = rows?.[CHUNK_SIZE - 1]?.position ?? to + 1 // all were read: none is incomplete
  const opsAt = (at: number): readonly ChangeOp[] | undefined => {
    const own = at < end ? rows?.filter(({ position }) => position === at) : undefined
    try {
      return own?.length === 0 ? undefined : own?.map(toOp)
    } catch {
      return undefined // it fails when it is read alone
    }
  }
  return { readTo: end - 1, opsAt }
}

interface PositionRange {
  readonly after: number
  readonly to: number
}

interface OpPlace {
  readonly position: number
  readonly ordinal: number
}

interface StoredOp extends ChangeOp, OpPlace {
  readonly checksum: number | null
}

const storedOps = tables.change_ops.of<StoredOp>()
const blocks = tables.change_op_blocks.of<OpBlock>()

const insertRow = (
  tx: Transaction,
  { position, ordinal, kind, objectId, before, after }: Omit<StoredOp, 'checksum'>,
): Promise<void> => {
  const sum = checksum(kind, objectId, before, after)
  return storedOps.insert(tx, { position, ordinal, kind, objectId, before, after, checksum: sum })
}

const opsOf = (position: number) =>
  query.selectFrom('change_ops').selectAll().where('position', '=', position).limit(CHUNK_SIZE)

const isWithin = ({ after, to }: PositionRange) => sql<SqlBool>`position > ${after} AND position <= ${to}`

const kindsIn = prepare((range: PositionRange) => {
  const stored = sql<{ readonly position: number; readonly kinds: string }>`(
    SELECT DISTINCT position, kind AS kinds FROM change_ops WHERE ${isWithin(range)}
    UNION ALL SELECT DISTINCT position, kinds FROM change_op_blocks WHERE ${isWithin(range)})`
  return query.selectFrom(stored.as('stored')).selectAll()
})

/** Change sets with blocks are left out: they have more. */
const recordOpsIn = prepare((range: PositionRange) => {
  const packed = query.selectFrom('change_op_blocks').select('position').where(isWithin(range))
  return query
    .selectFrom('change_ops')
    .selectAll()
    .where(isWithin(range))
    .where('kind', 'like', 'dns_record.%')
    .where('position', 'not in', packed)
    .orderBy('position')
    .orderBy('ordinal')
    .limit(CHUNK_SIZE)
})

const opsBelow = prepare(({ position, ordinal }: OpPlace) =>
  opsOf(position).where('ordinal', '<', ordinal).orderBy('ordinal', 'desc'),
)

const opsAbove = prepare(({ position, ordinal }: OpPlace) =>
  opsOf(position).where('ordinal', '>', ordinal).orderBy('ordinal'),
)

/** Those below an ordinal of the change set with this number, and those of earlier ones. */
const opsInRange = prepare(
  ({ scopeId, after, number, ordinal }: Omit<ChangeRange, 'last'> & { number: number; ordinal: number }) =>
    changesInRange({ scopeId, after, last: number })
      .innerJoin('change_ops', 'change_ops.position', 'changes.position')
      .selectAll('change_ops')
      .select('changes.number')
      .where((where) => where.or([where('number', '<', number), where('ordinal', '<', ordinal)]))
      .orderBy('number', 'desc')
      .orderBy('ordinal', 'desc')
      .limit(CHUNK_SIZE),
)

const blocksOf = (position: number) =>
  query.selectFrom('change_op_blocks').selectAll().where('position', '=', position).limit(1)

const blocksBelow = prepare(({ position, ordinal }: OpPlace) =>
  blocksOf(position).where('ordinal', '<', ordinal).orderBy('ordinal', 'desc'),
)

const blocksAbove = prepare(({ position, ordinal }: OpPlace) =>
  blocksOf(position).where('ordinal', '>', ordinal).orderBy('ordinal'),
)

function toOp(row: Database['change_ops']): ChangeOp {
  if (row.checksum !== null && row.checksum !== checksum(row.kind, row.object_id, row.before, row.after))
    throwDamagedRow(`operation ${row.ordinal} of change ${row.position}`)
  return { kind: row.kind, objectId: row.object_id, before: row.before, after: row.after }
}
