// Filters of a zone: expressions that firewall rules refer to. Each expression exists only once per zone.
import { type Actor, DomainError, type Ids, type Issue, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, subjectOf, verbOf, type ChangeOp } from '../../changes/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'
import { knownLists, type KnownLists } from '../lists/index.ts'
import { readExpression, REQUEST_SCHEME, schemeWithLists } from '@zonereeve/firewall'
import {
  countFilters,
  deleteFilter,
  deleteFilters,
  filtersOf,
  findFilter,
  findFilterByExpression,
  insertFilter,
  updateFilter,
  type Filter,
} from './filters.store.ts'

export interface FilterDefinition {
  readonly expression: string
  readonly paused: boolean
  readonly description: string | null
  readonly ref: string | null
  /** JSON pointer to the filter in the request. */
  readonly pointer: string
}

export interface FilterChange extends FilterDefinition {
  readonly id: string
}

export interface FilterQuery {
  readonly id: string | undefined
  readonly paused: boolean | undefined
  readonly expression: string | undefined
  readonly description: string | undefined
  readonly ref: string | undefined
}

export interface FiltersDeps {
  readonly storage: Storage
  readonly ids: Ids
  /** Whether any firewall rule uses the filter. */
  readonly isUsed: (db: Reader, filterId: string) => Promise<boolean>
}

/** Maximum filters per zone: twice the maximum number of firewall rules. */
export const MAX_FILTERS = 2_000

export type Filters = ReturnType<typeof createFilters>

export function createFilters({ storage, ids, isUsed }: FiltersDeps) {
  return { list, get, create, replace, remove }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string, desired: FilterQuery): Promise<Filter[]> {
    await requireZone(storage, zoneId)
    return (await filtersOf(storage, zoneId)).filter((filter) => passes(filter, desired))
  }

  /** @throws DomainError: filter.unknown. */
  async function get(zoneId: string, id: string): Promise<Filter> {
    return (await findFilter(storage, zoneId, id)) ?? throwUnknownFilter('')
  }

  /**
   * All or nothing.
   * @throws DomainError: filter.expression, filter.duplicate, filter.quota.
   */
  function create(zoneId: string, definitions: readonly FilterDefinition[], actor: Actor): Promise<Filter[]> {
    return storage.write(async (tx) => {
      const known = await knownLists(tx, (await requireZone(tx, zoneId)).accountId)
      throwIfIssues(definitions.flatMap((definition) => expressionIssues(definition, known)))
      const filters: Filter[] = []
      for (const definition of definitions) filters.push(await addFilter(tx, ids, zoneId, definition))
      const ops = filters.map((filter) => filterOp(null, filter))
      await append(tx, { scopeId: zoneId, actor }, ops)
      return filters
    })
  }

  /**
   * All or nothing.
   * @throws DomainError: filter.unknown, filter.expression, filter.duplicate.
   */
  function replace(zoneId: string, changes: readonly FilterChange[], actor: Actor): Promise<Filter[]> {
    return storage.write(async (tx) => {
      const known = await knownLists(tx, (await requireZone(tx, zoneId)).accountId)
      throwIfIssues(changes.flatMap((change) => expressionIssues(change, known)))
      const filters: Filter[] = []
      const ops: ChangeOp[] = []
      for (const { pointer, ...after } of changes) {
        const before = (await findFilter(tx, zoneId, after.id)) ?? throwUnknownFilter(`${pointer}/id`)
        filters.push(after)
        if (isSame(before, after)) continue
        await requireUnique(tx, zoneId, after.expression, pointer, after.id)
        await updateFilter(tx, after)
        ops.push(filterOp(before, after))
      }
      await append(tx, { scopeId: zoneId, actor }, ops)
      return filters
    })
  }

  /**
   * All or nothing; unknown IDs are ignored.
   * @throws DomainError: filter.in_use.
   */
  function remove(zoneId: string, filterIds: readonly string[], actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const ops: ChangeOp[] = []
      for (const id of filterIds) {
        const before = await findFilter(tx, zoneId, id)
        if (before === undefined) continue
        if (await isUsed(tx, id)) throw new DomainError({ reason: 'filter.in_use', values: { id } })
        await deleteFilter(tx, id)
        ops.push(filterOp(before, null))
      }
      await append(tx, { scopeId: zoneId, actor }, ops)
    })
  }
}

/** Issues of a filter's expression. @param known the lists that it may name. */
export function expressionIssues({ expression, pointer }: FilterDefinition, known: KnownLists): Issue[] {
  const scheme = schemeWithLists(REQUEST_SCHEME, known)
  const read = readExpression(expression, `${pointer}/expression`, scheme)
  return 'ok' in read ? [] : [read]
}

/**
 * Adds a filter whose expression is valid.
 * @throws DomainError: filter.duplicate, or `reason`; filter.quota.
 */
export async function addFilter(
  tx: Transaction,
  ids: Ids,
  zoneId: string,
  { pointer, ...members }: FilterDefinition,
  reason?: 'firewall_rule.filter_duplicate',
): Promise<Filter> {
  await requireUnique(tx, zoneId, members.expression, pointer, undefined, reason)
  if ((await countFilters(tx, zoneId)) >= MAX_FILTERS)
    throw new DomainError({ reason: 'filter.quota', pointer, values: { limit: MAX_FILTERS } })
  const filter = { id: ids.id(), ...members }
  await insertFilter(tx, zoneId, filter)
  return filter
}

/** Firewall rules that use the filters must be deleted first. */
export const zoneFilters: ZoneContents = {
  name: 'filters',
  operations: async (db, zoneId) => (await filtersOf(db, zoneId)).map((filter) => filterOp(filter, null)),
  remove: deleteFilters,
}

/** Change log operation for a filter that was created, changed or deleted. */
export const filterOp = (before: Filter | null, after: Filter | null): ChangeOp =>
  changeOp(`filter.${verbOf(before, after)}`, subjectOf(before, after).id, before, after)

async function requireUnique(
  tx: Transaction,
  zoneId: string,
  expression: string,
  pointer: string,
  exceptId?: string,
  reason: 'filter.duplicate' | 'firewall_rule.filter_duplicate' = 'filter.duplicate',
): Promise<void> {
  const other = await findFilterByExpression(tx, zoneId, expression)
  if (other === undefined || other.id === exceptId) return
  throw new DomainError({ reason, pointer, meta: { id: other.id } })
}

function passes(filter: Filter, desired: FilterQuery): boolean {
  const has = (text: string | null, part: string | undefined) =>
    part === undefined || part === '' || text?.toLowerCase().includes(part.toLowerCase()) === true
  return (
    (desired.id === undefined || filter.id === desired.id) &&
    (desired.paused === undefined || filter.paused === desired.paused) &&
    (desired.ref === undefined || filter.ref === desired.ref) &&
    has(filter.expression, desired.expression) &&
    has(filter.description, desired.description)
  )
}

const isSame = (a: Filter, b: Filter): boolean =>
  a.expression === b.expression && a.paused === b.paused && a.description === b.description && a.ref === b.ref

function throwUnknownFilter(pointer: string): never {
  throw new DomainError({ reason: 'filter.unknown', ...(pointer === '' ? {} : { pointer }) })
}
