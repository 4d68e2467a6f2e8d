// Rows of webhooks.
import { belongsToRow, type Reader, tables, type Transaction } from '@zonereeve/storage'
import { selectDue, selectOfZone, selectOne } from '../event-deliveries/index.ts'
import type { Webhook } from './page-shield-webhooks.rules.ts'

const webhooks = tables.page_shield_webhooks.of<Webhook>()

export const webhooksOf = async (db: Reader, zoneId: string): Promise<readonly Webhook[]> =>
  webhooks.readable(db, selectOfZone('page_shield_webhooks', zoneId), openedBy(db))

export const findWebhook = (db: Reader, zoneId: string, id: string): Promise<Webhook | undefined> =>
  webhooks.first(db, selectOne('page_shield_webhooks', zoneId, id), openedBy(db))

/** Those that are due and have pending events; longest waiting first. */
export const dueWebhooks = async (db: Reader, now: string, limit: number): Promise<readonly Webhook[]> =>
  webhooks.readable(db, selectDue('page_shield_webhooks', now, limit), openedBy(db))

export const insertWebhook = (tx: Transaction, webhook: Webhook): Promise<void> =>
  webhooks.insert(tx, sealSecret(tx, webhook))

export const saveWebhook = (tx: Transaction, webhook: Webhook): Promise<void> =>
  webhooks.update(tx, sealSecret(tx, webhook))

export const deleteWebhook = (tx: Transaction, id: string): Promise<number> => webhooks.remove(tx, { id })

export const deleteWebhooks = (tx: Transaction, zoneId: string): Promise<number> =>
  webhooks.remove(tx, { zoneId })

const sealSecret = ({ vault }: Reader, webhook: Webhook): Webhook => ({
  ...webhook,
  secret: vault.sealText(webhook.secret, belongsToRow('page_shield_webhooks', webhook.id)),
})

/** Nothing is delivered to one that cannot be read. */
const openedBy =
  ({ vault }: Reader) =>
  (webhook: Webhook): Webhook => ({
    ...webhook,
    secret: vault.openText(webhook.secret, belongsToRow('page_shield_webhooks', webhook.id)),
  })
