// Webhooks and e-mail alerts of zones and accounts. They are configuration: each change is a change set of its scope.
import {
  type Actor,
  type Clock,
  DomainError,
  type Ids,
  ifReadable,
  type ErrorCode,
} from '@zonereeve/platform'
import type { Subscription } from '@zonereeve/alerts'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp, deletionOp } from '../../changes/index.ts'
import { lastEventNumber } from '../page-shield/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'

/** What differs between the kinds of subscriptions. */
export interface SubscriptionType<S extends Subscription, Fields> {
  /** In change sets. */
  readonly kind: string
  readonly limit: number
  readonly reasons: { readonly unknown: ErrorCode; readonly quota: ErrorCode }
  /** @throws DomainError: the scope, which is a zone or an account, is unknown. */
  requireScope(db: Reader, scopeId: string): Promise<unknown>
  /** Number of the last event that a new one does not get. */
  lastEvent(db: Reader, scopeId: string, fields: Fields): Promise<number>
  of(db: Reader, scopeId: string): Promise<readonly S[]>
  find(db: Reader, scopeId: string, id: string): Promise<S | undefined>
  insert(tx: Transaction, subscription: S): Promise<unknown>
  save(tx: Transaction, subscription: S): Promise<unknown>
  remove(tx: Transaction, id: string): Promise<unknown>
  /** @throws DomainError listing every violated rule. */
  check(fields: Fields): void
  /** In change sets, without secrets. */
  toLogJson(subscription: S): string
}

/** Of subscriptions to the events of monitoring. */
export const ofZones = { requireScope: requireZone, lastEvent: lastEventNumber }

export interface SubscriptionsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export function createSubscriptions<S extends Subscription & Fields, Fields extends object>(
  { storage, clock, ids }: SubscriptionsDeps,
  type: SubscriptionType<S, Fields>,
  /** @returns the new subscription from the fields and the members that all have. */
  complete: (fields: Fields, common: Omit<Subscription, 'kinds' | 'isEnabled'>, scopeId: string) => S,
) {
  return { list, get, create, edit, remove }

  /**
   * In order of creation.
   * @throws DomainError: those of the scope.
   */
  async function list(scopeId: string): Promise<readonly S[]> {
    await type.requireScope(storage, scopeId)
    return type.of(storage, scopeId)
  }

  /** @throws DomainError: those of the scope, or unknown. */
  async function get(scopeId: string, id: string): Promise<S> {
    await type.requireScope(storage, scopeId)
    return requireSubscription(storage, scopeId, id)
  }

  /**
   * Only events from now on are delivered.
   * @throws DomainError: those of the scope, quota, and those of the check.
   */
  function create(scopeId: string, fields: Fields, actor: Actor): Promise<S> {
    return storage.write(async (tx) => {
      await type.requireScope(tx, scopeId)
      type.check(fields)
      if ((await type.of(tx, scopeId)).length >= type.limit)
        throw new DomainError({ reason: type.reasons.quota, values: { limit: type.limit } })
      const createdOn = clock.timestamp()
      const id = ids.id()
      const subscription = complete(
        fields,
        {
          id,
          createdOn,
          lastEvent: await type.lastEvent(tx, scopeId, fields),
          deliveredAt: null,
          failures: 0,
          problem: null,
          nextAttemptAt: createdOn,
        },
        scopeId,
      )
      await type.insert(tx, subscription)
      await append(tx, { scopeId, actor }, [operation(type, id, null, subscription)])
      return subscription
    })
  }

  /**
   * After failures, pending events are retried immediately. A pause after a delivery stays: otherwise edits would send
   * more than one digest in its time.
   * @throws DomainError: those of the scope, unknown, and those of the check.
   */
  function edit(scopeId: string, id: string, patch: Partial<Fields>, actor: Actor): Promise<S> {
    return storage.write(async (tx) => {
      await type.requireScope(tx, scopeId)
      const before = await requireSubscription(tx, scopeId, id)
      const after = { ...before, ...patch }
      type.check(after)
      const nextAttemptAt = before.failures > 0 ? clock.timestamp() : before.nextAttemptAt
      const restarted = { ...after, failures: 0, problem: null, nextAttemptAt }
      await type.save(tx, restarted)
      if (JSON.stringify(after) !== JSON.stringify(before))
        await append(tx, { scopeId, actor }, [operation(type, id, before, restarted)])
      return restarted
    })
  }

  /** @throws DomainError: those of the scope, or unknown. */
  function remove(scopeId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await type.requireScope(tx, scopeId)
      const before = await ifReadable(requireSubscription(tx, scopeId, id))
      await type.remove(tx, id)
      await append(tx, { scopeId, actor }, [deletionOp(type.kind, id, before, type.toLogJson)])
    })
  }

  async function requireSubscription(db: Reader, scopeId: string, id: string): Promise<S> {
    const found = await type.find(db, scopeId, id)
    if (found === undefined) throw new DomainError({ reason: type.reasons.unknown })
    return found
  }
}

/** Subscriptions of one kind as contents of a zone. */
export const subscriptionsOfZone = <S extends Subscription, Fields>(
  name: string,
  type: SubscriptionType<S, Fields>,
  removeAll: ZoneContents['remove'],
): ZoneContents => ({
  name,
  operations: async (db, zoneId) =>
    (await type.of(db, zoneId)).map((subscription) => operation(type, subscription.id, subscription, null)),
  remove: removeAll,
})

const operation = <S extends Subscription, Fields>(
  { kind, toLogJson }: SubscriptionType<S, Fields>,
  id: string,
  before: S | null,
  after: S | null,
): ChangeOp => changeOp(kind, id, before, after, toLogJson)
