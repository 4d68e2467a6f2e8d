// Queries that are the same for all kinds of subscriptions.
import type { Pending } from '@zonereeve/alerts'
import { query, type Reader } from '@zonereeve/storage'
import { eventsAfter, type NumberedEvent } from '../page-shield/index.ts'
import type { ZoneSubscription } from './zone-subscription.rules.ts'

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

/** The next events of a subscription, of up to `limit` that are looked at. */
export async function pendingOfZone(
  db: Reader,
  { zoneId, lastEvent, kinds }: ZoneSubscription,
  limit: number,
): Promise<Pending<NumberedEvent> | undefined> {
  const looked = await eventsAfter(db, zoneId, lastEvent, limit)
  const last = looked.at(-1)
  if (last === undefined) return undefined
  const events = looked.filter(({ kind }) => kinds === null || kinds.includes(kind))
  return { events, lastEvent: last.number }
}
