// Webhooks of zones: configuration, so each change is a change set of its zone. Secrets are in none.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { lastEventNumber } from '../page-shield/index.ts'
import { demandZone } from '../zones/index.ts'
import { MAX_WEBHOOKS, urlIssues, type Webhook, type WebhookFields } from './page-shield-webhooks.rules.ts'
import {
  deleteWebhook,
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

  /** In the order in which they were made. @throws DomainError: zone.unknown. */
  async function list(zoneId: string): Promise<readonly Webhook[]> {
    await demandZone(storage, zoneId)
    return webhooksOf(storage, zoneId)
  }

  /** @throws DomainError: zone.unknown, page_shield_webhook.unknown. */
  async function get(zoneId: string, id: string): Promise<Webhook> {
    await demandZone(storage, zoneId)
    return demandWebhook(storage, zoneId, id)
  }

  /** It is told what happens from now on. @throws DomainError: zone.unknown, page_shield_webhook.url, page_shield_webhook.quota. */
  function create(zoneId: string, fields: WebhookFields, actor: Actor): Promise<Webhook> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      refuse(urlIssues(fields.url))
      if ((await webhooksOf(tx, zoneId)).length >= MAX_WEBHOOKS)
        throw new DomainError({ reason: 'page_shield_webhook.quota', values: { limit: MAX_WEBHOOKS } })
      const createdOn = clock.timestamp()
      const webhook: Webhook = {
        ...fields,
        id: ids.id(),
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
      await record(tx, changeOp(null, webhook), actor)
      return webhook
    })
  }

  /** Events that wait are tried at once. @throws DomainError: zone.unknown, page_shield_webhook.unknown, page_shield_webhook.url. */
  function edit(zoneId: string, id: string, patch: Partial<WebhookFields>, actor: Actor): Promise<Webhook> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await demandWebhook(tx, zoneId, id)
      const after = { ...before, ...patch }
      refuse(urlIssues(after.url))
      const anew = { ...after, failures: 0, problem: null, nextAttemptAt: clock.timestamp() }
      await saveWebhook(tx, anew)
      if (JSON.stringify(after) !== JSON.stringify(before)) await record(tx, changeOp(before, anew), actor)
      return anew
    })
  }

  /** @throws DomainError: zone.unknown, page_shield_webhook.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await demandWebhook(tx, zoneId, id)
      await deleteWebhook(tx, id)
      await record(tx, changeOp(before, null), actor)
    })
  }

  async function record(tx: Transaction, { zoneId, op }: ZoneOp, actor: Actor): Promise<void> {
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops: [op] })
  }
}

/** Removes a zone's webhooks, writing them to the change set at `position`. */
export async function removeWebhooks(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const own = await webhooksOf(tx, zoneId)
  for (const { id } of own) await deleteWebhook(tx, id)
  await appendOps(
    tx,
    position,
    own.map((webhook) => changeOp(webhook, null).op),
  )
}

async function demandWebhook(db: Reader, zoneId: string, id: string): Promise<Webhook> {
  const found = await findWebhook(db, zoneId, id)
  if (found === undefined) throw new DomainError({ reason: 'page_shield_webhook.unknown' })
  return found
}

interface ZoneOp {
  readonly zoneId: string
  readonly op: ChangeOp
}

function changeOp(before: Webhook | null, after: Webhook | null): ZoneOp {
  const { zoneId, id } = before ?? after ?? { zoneId: '', id: '' }
  const op = { kind: 'page_shield.webhook', objectId: id, before: logged(before), after: logged(after) }
  return { zoneId, op }
}

function logged(webhook: Webhook | null): string | null {
  if (webhook === null) return null
  const { id, url, kinds = null, isEnabled, createdOn } = webhook
  return JSON.stringify({ id, url, kinds, isEnabled, createdOn })
}
