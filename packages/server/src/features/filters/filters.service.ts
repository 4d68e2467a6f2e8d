// Filters of a zone: expressions that firewall rules refer to, no two of them the same.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Issue } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone } from '../zones/index.ts'
import { readExpression } from './expression.rules.ts'
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
  /** Pointer to it in the request. */
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
  readonly clock: Clock
  readonly ids: Ids
  /** Whether some firewall rule has the filter. */
  readonly isUsed: (db: Reader, filterId: string) => Promise<boolean>
}

/** In a zone, at most: twice as many as rules that could have them. */
export const MAX_FILTERS = 2_000

export type Filters = ReturnType<typeof createFilters>

export function createFilters({ storage, clock, ids, isUsed }: FiltersDeps) {
  return { list, get, create, replace, remove }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string, wanted: FilterQuery): Promise<Filter[]> {
    await demandZone(storage, zoneId)
    return (await filtersOf(storage, zoneId)).filter((filter) => passes(filter, wanted))
  }

  /** @throws DomainError: filter.unknown. */
  async function get(zoneId: string, id: string): Promise<Filter> {
    return (await findFilter(storage, zoneId, id)) ?? unknown('')
  }

  /** All or none. @throws DomainError: filter.expression, filter.duplicate, filter.quota. */
  function create(zoneId: string, definitions: readonly FilterDefinition[], actor: Actor): Promise<Filter[]> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      refuse(definitions.flatMap(expressionIssues))
      const filters: Filter[] = []
      for (const definition of definitions) filters.push(await addFilter(tx, ids, zoneId, definition))
      await record(
        tx,
        zoneId,
        actor,
        filters.map((filter) => filterOp(null, filter)),
      )
      return filters
    })
  }

  /** All or none. @throws DomainError: filter.unknown, filter.expression, filter.duplicate. */
  function replace(zoneId: string, changes: readonly FilterChange[], actor: Actor): Promise<Filter[]> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      refuse(changes.flatMap(expressionIssues))
      const filters: Filter[] = []
      const ops: ChangeOp[] = []
      for (const { pointer, ...after } of changes) {
        const before = (await findFilter(tx, zoneId, after.id)) ?? unknown(`${pointer}/id`)
        filters.push(after)
        if (isSame(before, after)) continue
        await demandUnique(tx, zoneId, after.expression, pointer, after.id)
        await updateFilter(tx, after)
        ops.push(filterOp(before, after))
      }
      await record(tx, zoneId, actor, ops)
      return filters
    })
  }

  /** All or none; those that are not there are no fault. @throws DomainError: filter.in_use. */
  function remove(zoneId: string, filterIds: readonly string[], actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const ops: ChangeOp[] = []
      for (const id of filterIds) {
        const before = await findFilter(tx, zoneId, id)
        if (before === undefined) continue
        if (await isUsed(tx, id)) throw new DomainError({ reason: 'filter.in_use', values: { id } })
        await deleteFilter(tx, id)
        ops.push(filterOp(before, null))
      }
      await record(tx, zoneId, actor, ops)
    })
  }

  async function record(
    tx: Transaction,
    zoneId: string,
    actor: Actor,
    ops: readonly ChangeOp[],
  ): Promise<void> {
    if (ops.length === 0) return
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops })
  }
}

/** What is wrong with the expression of a filter. */
export function expressionIssues({ expression, pointer }: FilterDefinition): Issue[] {
  const read = readExpression(expression, `${pointer}/expression`)
  return 'ok' in read ? [] : [read]
}

/** Adds a filter whose expression is right. @throws DomainError: filter.duplicate, or `reason`; filter.quota. */
export async function addFilter(
  tx: Transaction,
  ids: Ids,
  zoneId: string,
  { pointer, ...members }: FilterDefinition,
  reason?: 'firewall_rule.filter_duplicate',
): Promise<Filter> {
  await demandUnique(tx, zoneId, members.expression, pointer, undefined, reason)
  if ((await countFilters(tx, zoneId)) >= MAX_FILTERS)
    throw new DomainError({ reason: 'filter.quota', pointer, values: { limit: MAX_FILTERS } })
  const filter = { id: ids.id(), ...members }
  await insertFilter(tx, zoneId, filter)
  return filter
}

/** Removes a zone's filters, writing them to the change set at `position`. The rules that have them must be gone. */
export async function removeFilters(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const filters = await filtersOf(tx, zoneId)
  if (filters.length === 0) return
  await deleteFilters(tx, zoneId)
  await appendOps(
    tx,
    position,
    filters.map((filter) => filterOp(filter, null)),
  )
}

/** A filter made, changed or deleted, for the change log. */
export function filterOp(before: Filter | null, after: Filter | null): ChangeOp {
  const done = before === null ? 'create' : after === null ? 'delete' : 'update'
  const text = (filter: Filter | null) => filter && JSON.stringify(filter)
  return {
    kind: `filter.${done}`,
    objectId: (after ?? before)?.id ?? '',
    before: text(before),
    after: text(after),
  }
}

async function demandUnique(
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

function passes(filter: Filter, wanted: FilterQuery): boolean {
  const has = (text: string | null, part: string | undefined) =>
    part === undefined || (text ?? '').toLowerCase().includes(part.toLowerCase())
  return (
    (wanted.id === undefined || filter.id === wanted.id) &&
    (wanted.paused === undefined || filter.paused === wanted.paused) &&
    (wanted.ref === undefined || filter.ref === wanted.ref) &&
    has(filter.expression, wanted.expression) &&
    has(filter.description, wanted.description)
  )
}

const isSame = (a: Filter, b: Filter): boolean =>
  a.expression === b.expression && a.paused === b.paused && a.description === b.description && a.ref === b.ref

function unknown(pointer: string): never {
  throw new DomainError({ reason: 'filter.unknown', ...(pointer === '' ? {} : { pointer }) })
}
