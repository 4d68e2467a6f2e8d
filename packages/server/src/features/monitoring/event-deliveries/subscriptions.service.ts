// Webhooks and e-mail alerts of zones. They are configuration: each change is a change set of its zone.
import {
  type Actor,
  type Clock,
  DomainError,
  type Ids,
  ifReadable,
  type ErrorCode,
} from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp, deletionOp } from '../../changes/index.ts'
import { lastEventNumber } from '../page-shield/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'
import type { Subscription } from './subscription.rules.ts'

/** What differs between the kinds of subscriptions. */
export interface SubscriptionType<S extends Subscription, Fields> {
  /** In change sets. */
  readonly kind: string
  readonly limit: number
  readonly reasons: { readonly unknown: ErrorCode; readonly quota: ErrorCode }
  of(db: Reader, zoneId: string): Promise<readonly S[]>
  find(db: Reader, zoneId: string, id: string): Promise<S | undefined>
  insert(tx: Transaction, subscription: S): Promise<unknown>
  save(tx: Transaction, subscription: S): Promise<unknown>
  remove(tx: Transaction, id: string): Promise<unknown>
  removeAll(tx: Transaction, zoneId: string): Promise<number>
  /** @throws DomainError listing every violated rule. */
  check(fields: Fields): void
  /** In change sets, without secrets. */
  toLogJson(subscription: S): string
}

export interface SubscriptionsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export function createSubscriptions<S extends Subscription & Fields, Fields extends object>(
  { storage, clock, ids }: SubscriptionsDeps,
  type: SubscriptionType<S, Fields>,
  /** @returns the new subscription from the fields and the members that all have. */
  complete: (fields: Fields, common: Omit<Subscription, 'kinds' | 'isEnabled'>) => S,
) {
  return { list, get, create, edit, remove }

  /**
   * In order of creation.
   * @throws DomainError: zone.unknown.
   */
  async function list(zoneId: string): Promise<readonly S[]> {
    await requireZone(storage, zoneId)
    return type.of(storage, zoneId)
  }

  /** @throws DomainError: zone.unknown, or unknown. */
  async function get(zoneId: string, id: string): Promise<S> {
    await requireZone(storage, zoneId)
    return requireSubscription(storage, zoneId, id)
  }

  /**
   * Only events from now on are delivered.
   * @throws DomainError: zone.unknown, quota, and those of the check.
   */
  function create(zoneId: string, fields: Fields, actor: Actor): Promise<S> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      type.check(fields)
      if ((await type.of(tx, zoneId)).length >= type.limit)
        throw new DomainError({ reason: type.reasons.quota, values: { limit: type.limit } })
      const createdOn = clock.timestamp()
      const id = ids.id()
      const subscription = complete(fields, {
        id,
        zoneId,
        createdOn,
        lastEvent: await lastEventNumber(tx, zoneId),
        deliveredAt: null,
        failures: 0,
        problem: null,
        nextAttemptAt: createdOn,
      })
      await type.insert(tx, subscription)
      await append(tx, { scopeId: zoneId, actor }, [operation(type, id, null, subscription)])
      return subscription
    })
  }

  /**
   * After failures, pending events are retried immediately. A pause after a delivery stays: otherwise edits would send
   * more than one digest in its time.
   * @throws DomainError: zone.unknown, unknown, and those of the check.
   */
  function edit(zoneId: string, id: string, patch: Partial<Fields>, actor: Actor): Promise<S> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requireSubscription(tx, zoneId, id)
      const after = { ...before, ...patch }
      type.check(after)
      const nextAttemptAt = before.failures > 0 ? clock.timestamp() : before.nextAttemptAt
      const restarted = { ...after, failures: 0, problem: null, nextAttemptAt }
      await type.save(tx, restarted)
      if (JSON.stringify(after) !== JSON.stringify(before))
        await append(tx, { scopeId: zoneId, actor }, [operation(type, id, before, restarted)])
      return restarted
    })
  }

  /** @throws DomainError: zone.unknown, or unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await ifReadable(requireSubscription(tx, zoneId, id))
      await type.remove(tx, id)
      await append(tx, { scopeId: zoneId, actor }, [deletionOp(type.kind, id, before, type.toLogJson)])
    })
  }

  async function requireSubscription(db: Reader, zoneId: string, id: string): Promise<S> {
    const found = await type.find(db, zoneId, id)
    if (found === undefined) throw new DomainError({ reason: type.reasons.unknown })
    return found
  }
}

/** Subscriptions of one kind as contents of a zone. */
export const subscriptionsOfZone = <S extends Subscription, Fields>(
  name: string,
  type: SubscriptionType<S, Fields>,
): ZoneContents => ({
  name,
  operations: async (db, zoneId) =>
    (await type.of(db, zoneId)).map((subscription) => operation(type, subscription.id, subscription, null)),
  remove: type.removeAll,
})

const operation = <S extends Subscription, Fields>(
  { kind, toLogJson }: SubscriptionType<S, Fields>,
  id: string,
  before: S | null,
  after: S | null,
): ChangeOp => changeOp(kind, id, before, after, toLogJson)
