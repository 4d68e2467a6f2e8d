// Rows of webhooks.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { EventKind } from '../page-shield/index.ts'
import type { Webhook } from './page-shield-webhooks.rules.ts'

export async function webhooksOf(db: Reader, zoneId: string): Promise<readonly Webhook[]> {
  const own = query.selectFrom('page_shield_webhooks').selectAll().where('zone_id', '=', zoneId)
  return (await db.all(own.orderBy('created_on').orderBy('id'))).map(fromRow)
}

export async function findWebhook(db: Reader, zoneId: string, id: string): Promise<Webhook | undefined> {
  const own = query.selectFrom('page_shield_webhooks').selectAll().where('id', '=', id)
  const row = await db.first(own.where('zone_id', '=', zoneId))
  return row && fromRow(row)
}

/** Those that are on, whose time has come, and behind whose last event there are others; the longest waiting first. */
export async function dueWebhooks(db: Reader, now: string, limit: number): Promise<readonly Webhook[]> {
  const rows = await db.all(
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
  )
  return rows.map(fromRow)
}

export async function insertWebhook(tx: Transaction, webhook: Webhook): Promise<void> {
  await tx.run(query.insertInto('page_shield_webhooks').values(toRow(webhook)))
}

export async function saveWebhook(tx: Transaction, webhook: Webhook): Promise<void> {
  await tx.run(query.updateTable('page_shield_webhooks').set(toRow(webhook)).where('id', '=', webhook.id))
}

export async function deleteWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_webhooks').where('id', '=', id))
}

const ALL = 'null'

const toRow = (webhook: Webhook): Database['page_shield_webhooks'] => ({
  id: webhook.id,
  zone_id: webhook.zoneId,
  url: webhook.url,
  kinds: webhook.kinds === undefined ? ALL : JSON.stringify(webhook.kinds),
  enabled: webhook.isEnabled ? 1 : 0,
  secret: webhook.secret,
  created_on: webhook.createdOn,
  last_event: webhook.lastEvent,
  delivered_at: webhook.deliveredAt,
  failures: webhook.failures,
  problem: webhook.problem,
  next_attempt_at: webhook.nextAttemptAt,
})

const fromRow = (row: Database['page_shield_webhooks']): Webhook => ({
  id: row.id,
  zoneId: row.zone_id,
  url: row.url,
  kinds: row.kinds === ALL ? undefined : (JSON.parse(row.kinds) as EventKind[]), // written by toRow
  isEnabled: row.enabled === 1,
  secret: row.secret,
  createdOn: row.created_on,
  lastEvent: row.last_event,
  deliveredAt: row.delivered_at,
  failures: row.failures,
  problem: row.problem,
  nextAttemptAt: row.next_attempt_at,
})
