// Queries that are the same for all kinds of subscriptions.
import { query } from '@zonereeve/storage'

type SubscriptionTable = 'page_shield_webhooks' | 'page_shield_email_alerts'

/** Subscriptions of a zone, in order of creation. */
export const selectOfZone = (table: SubscriptionTable, zoneId: string) =>
  query.selectFrom(table).selectAll().where('zone_id', '=', zoneId).orderBy('created_on').orderBy('id')

export const selectOne = (table: SubscriptionTable, zoneId: string, id: string) =>
  query.selectFrom(table).selectAll().where('id', '=', id).where('zone_id', '=', zoneId)

/** Enabled subscriptions with events that were not sent. */
export const selectPending = (table: SubscriptionTable) =>
  query
    .selectFrom(table)
    .where('enabled', '=', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('page_shield_events')
          .select('number')
          .whereRef('page_shield_events.zone_id', '=', `${table}.zone_id`)
          .whereRef('number', '>', 'last_event'),
      ),
    )

/** Those of them that are due; longest waiting first. */
export const selectDue = (table: SubscriptionTable, now: string, limit: number) =>
  selectPending(table)
    .selectAll()
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
