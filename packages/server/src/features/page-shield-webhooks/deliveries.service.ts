// Events told to webhooks, at least once each and in their order: how far a webhook is stands beside it, and goes on when what
// was posted is taken. What the process was telling when it ended is told again.
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../storage/index.ts'
import { eventsAfter, type NumberedEvent } from '../page-shield/index.ts'
import {
  backoffMillis,
  FIRST_BACKOFF_MILLIS,
  signatureOf,
  type Webhook,
} from './page-shield-webhooks.rules.ts'
import { dueWebhooks, findWebhook, saveWebhook } from './page-shield-webhooks.store.ts'
import { toDeliveryText } from './page-shield-webhooks.wire.ts'

export interface WebhookRequest {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Posts to a URL of somebody else's, and never to anything on one's own network. @returns why it was not taken; undefined where it was. */
export type PostWebhook = (request: WebhookRequest) => Promise<string | undefined>

export interface DeliveriesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly post: PostWebhook
}

/** Webhooks that are told at the same time: one that is slow keeps no other waiting. */
const WEBHOOKS_AT_ONCE = 32
const WEBHOOKS_LOOKED_AT = 256
/** Events in one request, and looked at for it. */
export const EVENTS_AT_ONCE = 100
const REQUESTS_IN_A_ROW = 20

export type Deliveries = ReturnType<typeof createDeliveries>

export function createDeliveries({ storage, clock, log, post }: DeliveriesDeps) {
  const underWay = new Map<string, Promise<void>>()
  /** Until when those wait whose last try could not be stored, milliseconds since 1970. */
  const held = new Map<string, number>()
  return { deliverDue, settled }

  /** Begins to tell every webhook whose time has come what waits for it. */
  async function deliverDue(signal: AbortSignal): Promise<void> {
    for (const [id, until] of held) if (until <= clock.now()) held.delete(id)
    for (const webhook of await dueWebhooks(storage, clock.timestamp(), WEBHOOKS_LOOKED_AT)) {
      const { id } = webhook
      if (underWay.size >= WEBHOOKS_AT_ONCE) return
      if (underWay.has(id) || held.has(id)) continue
      const delivery = deliver(webhook, signal)
        .catch((error: unknown) => {
          log.error({ err: error, webhookId: id }, 'webhook delivery failed')
          // Nothing of it is stored, so that this process alone knows that it is to wait.
          held.set(id, clock.now() + FIRST_BACKOFF_MILLIS)
        })
        .finally(() => underWay.delete(id))
      underWay.set(id, delivery)
    }
  }

  /** Resolves when nothing is being told any more. */
  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values())
  }

  async function deliver(first: Webhook, signal: AbortSignal): Promise<void> {
    let webhook: Webhook | undefined = first
    for (let sent = 0; sent < REQUESTS_IN_A_ROW && webhook !== undefined; sent++) {
      const looked = await eventsAfter(storage, webhook.zoneId, webhook.lastEvent, EVENTS_AT_ONCE)
      const last = looked.at(-1)
      if (last === undefined || signal.aborted) return
      const { kinds } = webhook
      const events = looked.filter(({ kind }) => kinds === undefined || kinds.includes(kind))
      const problem = events.length === 0 ? undefined : await send(webhook, events, signal)
      // Nobody's failure: it is told again after the next start.
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

  /** @returns the webhook as it is now; undefined where nothing more is to be told for now. */
  function settle(
    { zoneId, id, url, kinds }: Webhook,
    lastEvent: number,
    problem: string | undefined,
    isTold: boolean,
  ): Promise<Webhook | undefined> {
    return storage.write(async (tx) => {
      const now = await findWebhook(tx, zoneId, id)
      // Meanwhile it is gone, or another address is to be told, or of other events.
      if (now === undefined || now.url !== url || !isSameKinds(now.kinds, kinds)) return undefined
      if (problem === undefined) {
        const deliveredAt = isTold ? clock.timestamp() : now.deliveredAt
        // Those that were told last are the last to be told again.
        const nextAttemptAt = clock.timestamp()
        const after = { ...now, lastEvent, deliveredAt, failures: 0, problem: null, nextAttemptAt }
        await saveWebhook(tx, after)
        return now.isEnabled ? after : undefined
      }
      const failures = now.failures + 1
      const nextAttemptAt = new Date(clock.now() + backoffMillis(failures)).toISOString()
      await saveWebhook(tx, { ...now, failures, problem, nextAttemptAt })
      log.warn({ webhookId: id, zoneId, problem, failures }, 'webhook not told')
      return undefined
    })
  }
}

const isSameKinds = (one: Webhook['kinds'], other: Webhook['kinds']): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
