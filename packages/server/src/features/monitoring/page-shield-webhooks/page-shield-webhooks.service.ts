// Webhooks of zones. They are configuration: each change is a change set of its zone. Secrets are never part
// of a change set.
import { type Actor, type Clock, DomainError, type Ids, ifReadable, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, deletionOp, type ChangeOp } from '../../changes/index.ts'
import { lastEventNumber } from '../page-shield/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'
import { MAX_WEBHOOKS, urlIssues, type Webhook, type WebhookFields } from './page-shield-webhooks.rules.ts'
import {
  deleteWebhook,
  deleteWebhooks,
  findWebhook,
  insertWebhook,
  saveWebhook,
  webhooksOf,
} from './page-shield-webhooks.store.ts'

export interface WebhooksDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export type Webhooks = ReturnType<typeof createWebhooks>

export function createWebhooks({ storage, clock, ids }: WebhooksDeps) {
  return { list, get, create, edit, remove }

  /**
   * In order of creation.
   * @throws DomainError: zone.unknown.
   */
  async function list(zoneId: string): Promise<readonly Webhook[]> {
    await requireZone(storage, zoneId)
    return webhooksOf(storage, zoneId)
  }

  /** @throws DomainError: zone.unknown, page_shield_webhook.unknown. */
  async function get(zoneId: string, id: string): Promise<Webhook> {
    await requireZone(storage, zoneId)
    return requireWebhook(storage, zoneId, id)
  }

  /**
   * Only events from now on are delivered.
   * @throws DomainError: zone.unknown, page_shield_webhook.url, page_shield_webhook.quota.
   */
  function create(zoneId: string, fields: WebhookFields, actor: Actor): Promise<Webhook> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      throwIfIssues(urlIssues(fields.url))
      if ((await webhooksOf(tx, zoneId)).length >= MAX_WEBHOOKS)
        throw new DomainError({ reason: 'page_shield_webhook.quota', values: { limit: MAX_WEBHOOKS } })
      const createdOn = clock.timestamp()
      const id = ids.id()
      const webhook: Webhook = {
        ...fields,
        id,
        zoneId,
        secret: ids.tokenValue(),
        createdOn,
        lastEvent: await lastEventNumber(tx, zoneId),
        deliveredAt: null,
        failures: 0,
        problem: null,
        nextAttemptAt: createdOn,
      }
      await insertWebhook(tx, webhook)
      await append(tx, { scopeId: zoneId, actor }, [webhookOp(id, null, webhook)])
      return webhook
    })
  }

  /**
   * Pending events are retried immediately.
   * @throws DomainError: zone.unknown, page_shield_webhook.unknown, page_shield_webhook.url.
   */
  function edit(zoneId: string, id: string, patch: Partial<WebhookFields>, actor: Actor): Promise<Webhook> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requireWebhook(tx, zoneId, id)
      const after = { ...before, ...patch }
      throwIfIssues(urlIssues(after.url))
      const restarted = { ...after, failures: 0, problem: null, nextAttemptAt: clock.timestamp() }
      await saveWebhook(tx, restarted)
      if (JSON.stringify(after) !== JSON.stringify(before))
        await append(tx, { scopeId: zoneId, actor }, [webhookOp(id, before, restarted)])
      return restarted
    })
  }

  /** @throws DomainError: zone.unknown, page_shield_webhook.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await ifReadable(requireWebhook(tx, zoneId, id))
      await deleteWebhook(tx, id)
      await append(tx, { scopeId: zoneId, actor }, [deletionOp(KIND, id, before, toLogJson)])
    })
  }
}

export const zoneWebhooks: ZoneContents = {
  name: 'webhooks',
  operations: async (db, zoneId) =>
    (await webhooksOf(db, zoneId)).map((webhook) => webhookOp(webhook.id, webhook, null)),
  remove: deleteWebhooks,
}

async function requireWebhook(db: Reader, zoneId: string, id: string): Promise<Webhook> {
  const found = await findWebhook(db, zoneId, id)
  if (found === undefined) throw new DomainError({ reason: 'page_shield_webhook.unknown' })
  return found
}

const KIND = 'page_shield.webhook'

const webhookOp = (id: string, before: Webhook | null, after: Webhook | null): ChangeOp =>
  changeOp(KIND, id, before, after, toLogJson)

const toLogJson = ({ id, url, kinds, isEnabled, createdOn }: Webhook): string =>
  JSON.stringify({ id, url, kinds, isEnabled, createdOn })
