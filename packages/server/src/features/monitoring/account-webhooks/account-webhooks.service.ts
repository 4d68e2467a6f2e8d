// Webhooks of accounts, and what is posted to them. Both sources are recorded anyway: a webhook has a position in one.
import type { Channel, Pending } from '@zonereeve/alerts'
import { throwIfIssues } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { requireAccount } from '../../accounts/index.ts'
import { entriesOfAccount, lastEntry } from '../../changes/index.ts'
import {
  createSubscriptions,
  type SubscriptionsDeps,
  type SubscriptionType,
} from '../event-deliveries/index.ts'
import { postSigned, type PostingDeps } from '../page-shield-webhooks/index.ts'
import {
  type AccountEvent,
  type AccountWebhook,
  type AccountWebhookFields,
  kindsOf,
  MAX_ACCOUNT_WEBHOOKS,
  webhookIssues,
} from './account-webhooks.rules.ts'
import {
  countAllEvents,
  countEvents,
  deleteWebhook,
  dueWebhooks,
  findWebhook,
  insertWebhook,
  lastSecurityEvent,
  saveWebhook,
  webhooksOf,
} from './account-webhooks.store.ts'
import { toMessageText } from './account-webhooks.wire.ts'

const TYPE: SubscriptionType<AccountWebhook, AccountWebhookFields> = {
  kind: 'account.webhook',
  limit: MAX_ACCOUNT_WEBHOOKS,
  reasons: { unknown: 'page_shield_webhook.unknown', quota: 'account_webhook.quota' },
  requireScope: requireAccount,
  lastEvent: async (db, _, { source }) =>
    source === 'changes' ? (await lastEntry(db)).number : lastSecurityEvent(db),
  of: webhooksOf,
  find: findWebhook,
  insert: insertWebhook,
  save: saveWebhook,
  remove: deleteWebhook,
  check: (fields) => throwIfIssues(webhookIssues(fields)),
  toLogJson: ({ id, source, url, kinds, isEnabled, createdOn }) =>
    JSON.stringify({ id, source, url, kinds, isEnabled, createdOn }),
}

export type AccountWebhooks = ReturnType<typeof createAccountWebhooks>

export const createAccountWebhooks = (deps: SubscriptionsDeps) =>
  createSubscriptions(deps, TYPE, (fields, common, accountId) => ({
    ...common,
    accountId,
    ...fields,
    secret: deps.ids.tokenValue(),
  }))

/** Entries per request. */
export const ENTRIES_PER_REQUEST = 100
/** Counts per request; further events are a number. */
export const COUNTS_PER_REQUEST = 100
/** Security events that are counted at once, of all accounts. */
const MAX_COUNTED_EVENTS = 100_000
const SUMMARY_PAUSE_MILLIS = 60_000

export const accountWebhookChannel = (
  deps: PostingDeps & Pick<SubscriptionsDeps, 'storage'>,
): Channel<AccountWebhook, AccountEvent> => ({
  name: 'account webhook',
  scopeOf: ({ accountId }) => accountId,
  due: dueWebhooks,
  find: findWebhook,
  // Counting many events takes a while.
  pending: (_, webhook) =>
    webhook.source === 'changes'
      ? pendingChanges(deps.storage, webhook)
      : pendingCounts(deps.storage.offload, webhook),
  save: saveWebhook,
  isSame: (one, other) => one.url === other.url,
  pauseMillis: ({ source }) => (source === 'changes' ? 0 : SUMMARY_PAUSE_MILLIS),
  send: (webhook, events, signal) => postSigned(deps, webhook, toMessageText(webhook, events), signal),
})

async function pendingChanges(
  db: Reader,
  { accountId, lastEvent, kinds }: AccountWebhook,
): Promise<Pending<AccountEvent> | undefined> {
  const looked = await entriesOfAccount(db, accountId, lastEvent, ENTRIES_PER_REQUEST)
  const last = looked.at(-1)
  if (last === undefined) return undefined
  const events = looked.filter((entry) => {
    const own = [...kindsOf(entry)]
    return own.some((kind) => kinds === null || kinds.includes(kind))
  })
  // Receivers need no addresses of clients.
  return { events: events.map((entry) => ({ entry: { ...entry, address: null } })), lastEvent: last.number }
}

async function pendingCounts(
  db: Reader,
  { accountId, lastEvent: after }: AccountWebhook,
): Promise<Pending<AccountEvent> | undefined> {
  const until = Math.min(await lastSecurityEvent(db), after + MAX_COUNTED_EVENTS)
  if (until <= after) return undefined
  const counted = await countEvents(db, accountId, after, until, COUNTS_PER_REQUEST)
  const isWhole = counted.length < COUNTS_PER_REQUEST
  const listed = counted.reduce((sum, { count }) => sum + count, 0)
  const others = isWhole ? 0 : (await countAllEvents(db, accountId, after, until)) - listed
  return { events: counted.length === 0 ? [] : [{ after, until, counted, others }], lastEvent: until }
}
