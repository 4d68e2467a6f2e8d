// Delivers events to webhooks and by e-mail, in order, each at least once. The position of each subscription is stored
// beside it and advances when a delivery is accepted. Deliveries interrupted by a restart are repeated.
import { type Clock, DomainError, type Log } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { FIRST_BACKOFF_MILLIS, retryMillis, type Subscription } from './subscription.ts'

/** The problem of a delivery that was accepted is for example a rejected recipient. */
export interface Outcome {
  readonly isAccepted: boolean
  readonly problem: string | null
}

/** What follows the position of a subscription. */
export interface Pending<Event> {
  /** Those of its kinds. */
  readonly events: readonly Event[]
  /** Number of the last event that was looked at, of whatever kind. */
  readonly lastEvent: number
}

/** One way of delivery, with its subscriptions. */
export interface Channel<S extends Subscription, Event> {
  /** Names it in the log. */
  readonly name: 'webhook' | 'email alert' | 'account webhook'
  /** ID of the zone or account that it belongs to. */
  scopeOf(subscription: S): string
  /** Enabled subscriptions that are due and have pending events, longest waiting first. */
  due(db: Reader, now: string, limit: number): Promise<readonly S[]>
  find(db: Reader, scopeId: string, id: string): Promise<S | undefined>
  /** The events of one message; undefined if nothing was recorded since its position. */
  pending(db: Reader, subscription: S): Promise<Pending<Event> | undefined>
  save(tx: Transaction, subscription: S): Promise<unknown>
  /** Whether both deliver the same events to the same place. */
  isSame(one: S, other: S): boolean
  /** @param events none for a test. */
  send(subscription: S, events: readonly Event[], signal: AbortSignal): Promise<Outcome>
  /** Time from an accepted delivery to the next. */
  pauseMillis(subscription: S): number
}

export interface DeliveriesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
}

/** Subscriptions served concurrently, so that a slow one delays no other. */
const MAX_DELIVERIES = 32
const SUBSCRIPTIONS_LOOKED_AT = 256
const MESSAGES_IN_A_ROW = 20
/**
 * Between two tests of subscriptions of a scope: a test sends what its target did not ask for. By scope, because a new
 * subscription with the same target can be created at any time.
 */
const TEST_PAUSE_SECONDS = 30

export interface Tests<S extends Subscription> {
  test(subscription: S): Promise<Outcome>
}

/**
 * Delivers through one channel; only the process that writes to the database may run it.
 *
 * @returns `deliverDue` for a job of about one second, `test` for requests, and `waitUntilIdle` for the end.
 */
export function createDeliveries<S extends Subscription, Event>(
  { storage, clock, log }: DeliveriesDeps,
  channel: Channel<S, Event>,
) {
  const underWay = new Map<string, Promise<void>>()
  /** Subscriptions whose last attempt could not be stored: id → wait until, in milliseconds since 1970. */
  const pauses = new Map<string, number>()
  /** ID of the scope → time of the next possible test, in milliseconds since 1970. */
  const tests = new Map<string, number>()
  const failedEvent = `${channel.name} delivery failed`
  return { deliverDue, test, waitUntilIdle }

  /** Starts the delivery of pending events to every subscription that is due. */
  async function deliverDue(signal: AbortSignal): Promise<void> {
    for (const [id, until] of pauses) if (until <= clock.now()) pauses.delete(id)
    for (const subscription of await channel.due(storage, clock.timestamp(), SUBSCRIPTIONS_LOOKED_AT)) {
      const { id } = subscription
      if (underWay.size >= MAX_DELIVERIES) return
      if (underWay.has(id) || pauses.has(id)) continue
      const delivery = deliver(subscription, signal)
        .catch((error: unknown) => {
          log.error({ err: error, subscriptionId: id }, failedEvent)
          // The failure is not stored, so only this process knows about the delay.
          pauses.set(id, clock.now() + FIRST_BACKOFF_MILLIS)
        })
        .finally(() => underWay.delete(id))
      underWay.set(id, delivery)
    }
  }

  /**
   * Sends a message without events at once; its result changes nothing.
   * @throws DomainError: page_shield_test.too_soon, and the caller's if the subscription is unknown.
   */
  async function test(subscription: S): Promise<Outcome> {
    const scopeId = channel.scopeOf(subscription)
    for (const [id, until] of tests) if (until <= clock.now()) tests.delete(id)
    if (tests.has(scopeId))
      throw new DomainError({ reason: 'page_shield_test.too_soon', values: { seconds: TEST_PAUSE_SECONDS } })
    tests.set(scopeId, clock.now() + TEST_PAUSE_SECONDS * 1000)
    return channel.send(subscription, [], new AbortController().signal)
  }

  /** Resolves when no delivery is running. */
  async function waitUntilIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values())
  }

  async function deliver(first: S, signal: AbortSignal): Promise<void> {
    let subscription: S | undefined = first
    for (let sent = 0; sent < MESSAGES_IN_A_ROW && subscription !== undefined; sent++) {
      const pending: Pending<Event> | undefined = await channel.pending(storage, subscription)
      if (pending === undefined || signal.aborted) return
      const { events, lastEvent } = pending
      const outcome = events.length === 0 ? undefined : await channel.send(subscription, events, signal)
      // Interrupted by shutdown, not a failure: it is delivered again after the next start.
      if (signal.aborted && outcome?.isAccepted === false) return
      subscription = await settle(subscription, lastEvent, outcome)
    }
  }

  /**
   * @param outcome undefined if no event was of its kinds.
   * @returns the current subscription; undefined if there is nothing more to deliver for now.
   */
  function settle(sent: S, lastEvent: number, outcome: Outcome | undefined): Promise<S | undefined> {
    const { id } = sent
    const scopeId = channel.scopeOf(sent)
    return storage.write(async (tx) => {
      const now = await channel.find(tx, scopeId, id)
      // It was meanwhile deleted, or its target or event kinds changed.
      if (now === undefined || !channel.isSame(now, sent) || !isSameKinds(now.kinds, sent.kinds))
        return undefined
      if (outcome?.isAccepted === false) {
        const { problem } = outcome
        const failures = now.failures + 1
        const nextAttemptAt = new Date(clock.now() + retryMillis(failures)).toISOString()
        await channel.save(tx, { ...now, failures, problem, nextAttemptAt })
        log.warn({ subscriptionId: id, scopeId, problem, failures }, failedEvent)
        return undefined
      }
      const pause = outcome === undefined ? 0 : channel.pauseMillis(now)
      const after = {
        ...now,
        lastEvent,
        failures: 0,
        problem: outcome === undefined ? now.problem : outcome.problem,
        deliveredAt: outcome === undefined ? now.deliveredAt : clock.timestamp(),
        // Subscriptions served most recently are served last next time.
        nextAttemptAt: pause === 0 ? clock.timestamp() : new Date(clock.now() + pause).toISOString(),
      }
      await channel.save(tx, after)
      return now.isEnabled && pause === 0 ? after : undefined
    })
  }
}

const isSameKinds = (one: Subscription['kinds'], other: Subscription['kinds']): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
