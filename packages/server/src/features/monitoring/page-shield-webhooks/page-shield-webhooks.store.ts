// Rows of webhooks.
import { belongsToRow, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { Webhook } from './page-shield-webhooks.rules.ts'

const webhooks = tables.page_shield_webhooks.of<Webhook>()

export async function webhooksOf(db: Reader, zoneId: string): Promise<readonly Webhook[]> {
  const own = query.selectFrom('page_shield_webhooks').selectAll().where('zone_id', '=', zoneId)
  return webhooks.readable(db, own.orderBy('created_on').orderBy('id'), openedBy(db))
}

export function findWebhook(db: Reader, zoneId: string, id: string): Promise<Webhook | undefined> {
  const own = query.selectFrom('page_shield_webhooks').selectAll().where('id', '=', id)
  return webhooks.first(db, own.where('zone_id', '=', zoneId), openedBy(db))
}

/** Enabled webhooks that are due and have pending events; longest waiting first. */
export async function dueWebhooks(db: Reader, now: string, limit: number): Promise<readonly Webhook[]> {
  return webhooks.readable(
    db,
    query
      .selectFrom('page_shield_webhooks')
      .selectAll()
      .where('enabled', '=', 1)
      .where('next_attempt_at', '<=', now)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('page_shield_events')
            .select('number')
            .whereRef('page_shield_events.zone_id', '=', 'page_shield_webhooks.zone_id')
            .whereRef('number', '>', 'last_event'),
        ),
      )
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit),
    openedBy(db),
  )
}

export const insertWebhook = (tx: Transaction, webhook: Webhook): Promise<void> =>
  webhooks.insert(tx, sealSecret(tx, webhook))

export const saveWebhook = (tx: Transaction, webhook: Webhook): Promise<number> =>
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
