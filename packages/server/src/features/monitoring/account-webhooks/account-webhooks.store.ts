// Rows of webhooks of accounts, and the security events that follow their positions.
import { belongsToRow, countRows, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { AccountWebhook, CountedEvents } from './account-webhooks.rules.ts'

const webhooks = tables.account_webhooks.of<AccountWebhook>()

const selectAll = () => query.selectFrom('account_webhooks').selectAll()

/** In order of creation. */
export const webhooksOf = async (db: Reader, accountId: string): Promise<readonly AccountWebhook[]> =>
  webhooks.readable(
    db,
    selectAll().where('account_id', '=', accountId).orderBy('created_on').orderBy('id'),
    openedBy(db),
  )

export const findWebhook = (db: Reader, accountId: string, id: string): Promise<AccountWebhook | undefined> =>
  webhooks.first(db, selectAll().where('id', '=', id).where('account_id', '=', accountId), openedBy(db))

/** Enabled webhooks after whose position something was recorded. Security events may be those of other accounts. */
export const selectPendingWebhooks = () =>
  query
    .selectFrom('account_webhooks')
    .where('enabled', '=', 1)
    .where(({ and, eb, exists, or, selectFrom }) =>
      or([
        and([
          eb('source', '=', 'changes'),
          exists(
            selectFrom('audit_log')
              .select('number')
              .whereRef('audit_log.account_id', '=', 'account_webhooks.account_id')
              .whereRef('number', '>', 'last_event'),
          ),
        ]),
        and([
          eb('account_webhooks.source', '=', 'security_events'),
          exists(selectFrom('security_events').select('number').whereRef('number', '>', 'last_event')),
        ]),
      ]),
    )

/** Those of them that are due; longest waiting first. */
export const dueWebhooks = async (
  db: Reader,
  now: string,
  limit: number,
): Promise<readonly AccountWebhook[]> =>
  webhooks.readable(
    db,
    selectPendingWebhooks()
      .selectAll()
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit),
    openedBy(db),
  )

export const insertWebhook = (tx: Transaction, webhook: AccountWebhook): Promise<void> =>
  webhooks.insert(tx, sealSecret(tx, webhook))

export const saveWebhook = (tx: Transaction, webhook: AccountWebhook): Promise<void> =>
  webhooks.update(tx, sealSecret(tx, webhook))

export const deleteWebhook = (tx: Transaction, id: string): Promise<number> => webhooks.remove(tx, { id })

/** 0 if there are none. */
export async function lastSecurityEvent(db: Reader): Promise<number> {
  const newest = query.selectFrom('security_events').select('number').orderBy('number', 'desc').limit(1)
  return (await db.first(newest))?.number ?? 0 // there are none
}

/** Security events of the zones of an account after a number and up to another one. */
const eventsBetween = (accountId: string, after: number, until: number) =>
  query
    .selectFrom('security_events')
    .innerJoin('zones', 'zones.id', 'security_events.zone_id')
    .where('zones.account_id', '=', accountId)
    .where('security_events.number', '>', after)
    .where('security_events.number', '<=', until)

/** Most frequent first. */
export const countEvents = (
  db: Reader,
  accountId: string,
  after: number,
  until: number,
  limit: number,
): Promise<CountedEvents[]> =>
  db.all(
    eventsBetween(accountId, after, until)
      .select(({ fn, ref }) => [
        'zones.id as zoneId',
        'zones.name as zoneName',
        'action',
        'source',
        'rule_id as ruleId',
        fn.max('description').as('description'),
        fn.countAll<number>().as('count'),
        fn.min(ref('at')).as('firstAt'),
        fn.max(ref('at')).as('lastAt'),
      ])
      .groupBy(['zones.id', 'zones.name', 'action', 'source', 'rule_id'])
      .orderBy('count', 'desc')
      .orderBy('zones.id')
      .orderBy('rule_id')
      .orderBy('action')
      .limit(limit),
  )

export const countAllEvents = (
  db: Reader,
  accountId: string,
  after: number,
  until: number,
): Promise<number> => countRows(db, eventsBetween(accountId, after, until))

const sealSecret = ({ vault }: Reader, webhook: AccountWebhook): AccountWebhook => ({
  ...webhook,
  secret: vault.sealText(webhook.secret, belongsToRow('account_webhooks', webhook.id)),
})

/** Nothing is delivered to one that cannot be read. */
const openedBy =
  ({ vault }: Reader) =>
  (webhook: AccountWebhook): AccountWebhook => ({
    ...webhook,
    secret: vault.openText(webhook.secret, belongsToRow('account_webhooks', webhook.id)),
  })
