// The list of a scope's change sets: pages, filters, and a few words of what each changed.
import { byEngine, type Database, query, type Reader, sql, textMatch, unpackOps } from '@zonereeve/storage'
import { yieldNow } from '@zonereeve/cooperate'
import type { ChangeOp } from './change-op.ts'
import { OPS_IN_ROWS } from './change-ops.store.ts'
import { lastChangeNumber, toHeader, type NumberedChange } from './changes.store.ts'
import { historyFloor } from './history-floors.store.ts'

/** A change set without its operations. */
export interface ChangeSummary extends Omit<NumberedChange, 'ops'> {
  readonly operations: number
  /** Of the first {@link DESCRIBED_OPS}. */
  readonly kinds: readonly { readonly kind: string; readonly operations: number }[]
  /** JSON texts of the first record among them; undefined if there is none. */
  readonly firstRecord: { readonly before: string | null; readonly after: string | null } | undefined
}

/** Every member is optional; a change set must match all that are given. */
export interface ChangeFilter {
  /** Part of the actor's name. */
  readonly actor?: string | undefined
  /** Part of the name of an object that changed. */
  readonly name?: string | undefined
  /** `dns_record.delete`, or `dns_record` for all kinds of changes of records. */
  readonly kind?: string | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
}

/** Operations of a change set that its summary describes: more would make a page of large change sets slow. */
const DESCRIBED_OPS = OPS_IN_ROWS

interface Page {
  readonly offset: number
  readonly limit: number
}

/** The retained change sets of a scope, newest first, and their number. */
export async function listChanges(
  db: Reader,
  scopeId: string,
  { offset, limit }: Page,
): Promise<{ changes: ChangeSummary[]; totalCount: number }> {
  const last = await lastChangeNumber(db, scopeId)
  // Numbers have no gaps, so a page is a range of numbers.
  const newest = last - offset
  const rows = await db.all(
    summaries(scopeId)
      .where('number', '<=', newest)
      .where('number', '>', newest - limit)
      .orderBy('number', 'desc'),
  )
  // Read last: the floor moves before operations are deleted, so those above it were counted completely.
  const floor = await historyFloor(db, scopeId)
  const remaining = rows.filter(({ number }) => number >= floor)
  return { changes: remaining.map(toSummary), totalCount: Math.max(0, last + 1 - floor) }
}

/** The same of those that match. A filter by name reads every operation: `db` should be the offloaded reader. */
export async function findChanges(
  db: Reader,
  scopeId: string,
  filter: ChangeFilter,
  { offset, limit }: Page,
): Promise<{ changes: ChangeSummary[]; totalCount: number }> {
  const packed = filter.name === undefined ? [] : await packedWithName(db, scopeId, filter.name)
  const matching = query
    .selectFrom('changes')
    .select('number')
    .where('scope_id', '=', scopeId)
    .where('number', '>=', await historyFloor(db, scopeId))
    .where((where) => where.and(conditions(filter, packed)))
    .orderBy('number', 'desc')
  const numbers = (await db.all(matching)).map(({ number }) => number)
  const page = numbers.slice(offset, offset + limit)
  const rows =
    page.length === 0
      ? []
      : await db.all(summaries(scopeId).where('number', 'in', page).orderBy('number', 'desc'))
  return { changes: rows.map(toSummary), totalCount: numbers.length }
}

/** @param packed positions of change sets whose packed operations match the filter by name. */
function conditions({ actor, name, kind, since, before }: ChangeFilter, packed: readonly number[]) {
  return [
    ...(actor === undefined
      ? []
      : [textMatch(sql<string>`lower(actor_name)`, actor.toLowerCase(), 'anywhere')]),
    ...(since === undefined ? [] : [sql<boolean>`changes.at >= ${since}`]),
    ...(before === undefined ? [] : [sql<boolean>`changes.at < ${before}`]),
    ...(kind === undefined ? [] : [sql<boolean>`(${someOp(kindIs(kind))} or ${someBlock(kind)})`]),
    ...(name === undefined
      ? []
      : [
          packed.length === 0
            ? someOp(nameHas(name))
            : sql<boolean>`(${someOp(nameHas(name))} or changes.position in (${sql.join(packed)}))`,
        ]),
  ]
}

const someOp = (condition: ReturnType<typeof textMatch>) => sql<boolean>`exists (
  select 1 from change_ops where change_ops.position = changes.position and ${condition})`

/** Its kinds are whole lines. */
const someBlock = (kind: string) => sql<boolean>`exists (
  select 1 from change_op_blocks where change_op_blocks.position = changes.position
  and (${textMatch(sql.ref<string>('kinds'), `\n${kind}\n`, 'anywhere')}
    or ${textMatch(sql.ref<string>('kinds'), `\n${kind}.`, 'anywhere')}))`

/** Positions of the scope's change sets with a packed operation on an object whose name has this part. */
async function packedWithName(db: Reader, scopeId: string, part: string): Promise<number[]> {
  const found = new Set<number>()
  const ofScope = query.selectFrom('changes').select('position').where('scope_id', '=', scopeId)
  const blocks = query.selectFrom('change_op_blocks').where('position', 'in', ofScope)
  const places = await db.all(blocks.select(['position', 'ordinal']).orderBy('position').orderBy('ordinal'))
  for (const { position, ordinal } of places) {
    if (found.has(position)) continue
    const block = await db.first(
      query
        .selectFrom('change_op_blocks')
        .selectAll()
        .where('position', '=', position)
        .where('ordinal', '=', ordinal),
    )
    // Compacted in the meantime.
    if (block === undefined) continue
    if (unpackOps(block).some((op) => nameOf(op)?.toLowerCase().includes(part.toLowerCase())))
      found.add(position)
    await yieldNow()
  }
  return [...found]
}

/** A text that is damaged has none. */
function nameOf({ before, after }: ChangeOp): string | undefined {
  try {
    const { name } = JSON.parse(after ?? before ?? 'null') as { readonly name?: unknown } // of an object
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

const nameHas = (part: string) => textMatch(objectName, part.toLowerCase(), 'anywhere')

const kindIs = (kind: string) =>
  sql<boolean>`(kind = ${kind} or substr(kind, 1, ${kind.length + 1}) = ${`${kind}.`})`

/** A text that is damaged has none. */
const objectName = sql<string | null>`lower(case when json_valid(coalesce("after", "before"))
  then ${byEngine({
    sqlite: sql`json_extract(coalesce("after", "before"), '$.name')`,
    postgres: sql`coalesce("after", "before")::json ->> 'name'`,
  })} end)`

const kindCounts = byEngine({
  sqlite: sql<string>`json_group_array(json_array(kind, count))`,
  postgres: sql<string>`coalesce(json_agg(json_build_array(kind, count))::text, '[]')`,
})

const described = sql`from change_ops where change_ops.position = changes.position and ordinal < ${sql.lit(DESCRIBED_OPS)}`
const firstRecord = (member: 'before' | 'after') =>
  sql<
    string | null
  >`(select ${sql.ref(member)} ${described} and kind like 'dns_record.%' order by ordinal limit 1)`

interface Counted {
  readonly operations: number
  /** JSON text of an array of kinds and numbers. */
  readonly kinds: string
  readonly record_before: string | null
  readonly record_after: string | null
}

const summaries = (scopeId: string) =>
  query
    .selectFrom('changes')
    .selectAll()
    .select([
      // Ordinals have no gaps. PostgreSQL adds integers to a decimal.
      sql<number>`coalesce((select max(ordinal) + 1 from change_ops where change_ops.position = changes.position), 0)
        + cast(coalesce((select sum(operations) from change_op_blocks
          where change_op_blocks.position = changes.position), 0) as bigint)`.as('operations'),
      sql<string>`(select ${kindCounts} from
        (select kind, count(*) as count ${described} group by kind order by min(ordinal)) as kinds)`.as(
        'kinds',
      ),
      firstRecord('before').as('record_before'),
      firstRecord('after').as('record_after'),
    ])
    .where('scope_id', '=', scopeId)

function toSummary(row: Omit<Database['changes'], 'position'> & Counted): ChangeSummary {
  const kinds = JSON.parse(row.kinds) as [string, number][] // as selected above
  const hasRecord = row.record_before !== null || row.record_after !== null
  return {
    ...toHeader(row),
    operations: row.operations,
    kinds: kinds.map(([kind, operations]) => ({ kind, operations })),
    firstRecord: hasRecord ? { before: row.record_before, after: row.record_after } : undefined,
  }
}
