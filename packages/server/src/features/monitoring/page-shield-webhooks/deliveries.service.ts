// Delivers events to webhooks in order, each at least once. The position of each webhook is stored beside it
// and advances when a post is accepted. Deliveries interrupted by a restart are repeated.
import type { Clock, Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { eventsAfter, type NumberedEvent } from '../page-shield/index.ts'
import { FIRST_BACKOFF_MILLIS, retryMillis, signatureOf, type Webhook } from './page-shield-webhooks.rules.ts'
import { dueWebhooks, findWebhook, saveWebhook } from './page-shield-webhooks.store.ts'
import { toDeliveryText } from './page-shield-webhooks.wire.ts'

export interface WebhookRequest {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Posts to an external URL, never to a private network.
 * @returns why the delivery failed; undefined on success.
 */
export type PostWebhook = (request: WebhookRequest) => Promise<string | undefined>

export interface DeliveriesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly post: PostWebhook
}

/** Webhooks served concurrently, so that a slow one delays no other. */
const MAX_DELIVERIES = 32
const WEBHOOKS_LOOKED_AT = 256
/** Maximum events per request. */
export const EVENTS_PER_REQUEST = 100
const REQUESTS_IN_A_ROW = 20

export function createDeliveries({ storage, clock, log, post }: DeliveriesDeps) {
  const underWay = new Map<string, Promise<void>>()
  /** Webhooks whose last attempt could not be stored: id → wait until, in milliseconds since 1970. */
  const pauses = new Map<string, number>()
  return { deliverDue, waitUntilIdle }

  /** Starts the delivery of pending events to every webhook that is due. */
  async function deliverDue(signal: AbortSignal): Promise<void> {
    for (const [id, until] of pauses) if (until <= clock.now()) pauses.delete(id)
    for (const webhook of await dueWebhooks(storage, clock.timestamp(), WEBHOOKS_LOOKED_AT)) {
      const { id } = webhook
      if (underWay.size >= MAX_DELIVERIES) return
      if (underWay.has(id) || pauses.has(id)) continue
      const delivery = deliver(webhook, signal)
        .catch((error: unknown) => {
          log.error({ err: error, webhookId: id }, 'webhook delivery failed')
          // The failure is not stored, so only this process knows about the delay.
          pauses.set(id, clock.now() + FIRST_BACKOFF_MILLIS)
        })
        .finally(() => underWay.delete(id))
      underWay.set(id, delivery)
    }
  }

  /** Resolves when no delivery is running. */
  async function waitUntilIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values())
  }

  async function deliver(first: Webhook, signal: AbortSignal): Promise<void> {
    let webhook: Webhook | undefined = first
    for (let sent = 0; sent < REQUESTS_IN_A_ROW && webhook !== undefined; sent++) {
      const looked = await eventsAfter(storage, webhook.zoneId, webhook.lastEvent, EVENTS_PER_REQUEST)
      const last = looked.at(-1)
      if (last === undefined || signal.aborted) return
      const { kinds } = webhook
      const events = looked.filter(({ kind }) => kinds === null || kinds.includes(kind))
      const problem = events.length === 0 ? undefined : await send(webhook, events, signal)
      // Interrupted by shutdown, not a failure: it is delivered again after the next start.
      if (signal.aborted && problem !== undefined) return
      webhook = await settle(webhook, last.number, problem, events.length > 0)
    }
  }

  function send(
    { id, zoneId, url, secret }: Webhook,
    events: readonly NumberedEvent[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const body = toDeliveryText(id, zoneId, events)
    const headers = {
      'content-type': 'application/json',
      'zonereeve-signature': signatureOf(secret, body, clock.now()),
      'zonereeve-webhook': id,
    }
    return post({ url, body, headers, signal })
  }

  /** @returns the current webhook; undefined if there is nothing more to deliver for now. */
  function settle(
    { zoneId, id, url, kinds }: Webhook,
    lastEvent: number,
    problem: string | undefined,
    isReported: boolean,
  ): Promise<Webhook | undefined> {
    return storage.write(async (tx) => {
      const now = await findWebhook(tx, zoneId, id)
      // The webhook was meanwhile deleted, or its URL or event kinds changed.
      if (now === undefined || now.url !== url || !isSameKinds(now.kinds, kinds)) return undefined
      if (problem === undefined) {
        const deliveredAt = isReported ? clock.timestamp() : now.deliveredAt
        // Webhooks served most recently are served last next time.
        const nextAttemptAt = clock.timestamp()
        const after = { ...now, lastEvent, deliveredAt, failures: 0, problem: null, nextAttemptAt }
        await saveWebhook(tx, after)
        return now.isEnabled ? after : undefined
      }
      const failures = now.failures + 1
      const nextAttemptAt = new Date(clock.now() + retryMillis(failures)).toISOString()
      await saveWebhook(tx, { ...now, failures, problem, nextAttemptAt })
      log.warn({ webhookId: id, zoneId, problem, failures }, 'webhook delivery failed')
      return undefined
    })
  }
}

const isSameKinds = (one: Webhook['kinds'], other: Webhook['kinds']): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
