// Maps webhooks of accounts between wire format and domain model, and formats what is posted to them.
import type { AccountWebhookPatch, AccountWebhookPost, WireAccountWebhook } from '@zonereeve/contract'
import { toWireAuditLog } from '../../accounts/index.ts'
import { toWireStatus } from '../event-deliveries/index.ts'
import type {
  AccountEvent,
  AccountWebhook,
  AccountWebhookFields,
  CountedEvents,
} from './account-webhooks.rules.ts'

export const toFields = ({
  source,
  url,
  kinds,
  enabled = true,
}: AccountWebhookPost): AccountWebhookFields => ({
  source,
  url,
  kinds: kinds ?? null, // all
  isEnabled: enabled,
})

export const toPatch = ({ url, kinds, enabled }: AccountWebhookPatch): Partial<AccountWebhookFields> => ({
  ...(url === undefined ? {} : { url }),
  ...(kinds === undefined ? {} : { kinds }),
  ...(enabled === undefined ? {} : { isEnabled: enabled }),
})

export const toWire = (webhook: AccountWebhook): WireAccountWebhook => ({
  id: webhook.id,
  source: webhook.source,
  url: webhook.url,
  kinds: webhook.kinds === null ? null : [...webhook.kinds],
  enabled: webhook.isEnabled,
  created_on: webhook.createdOn,
  status: toWireStatus(webhook),
})

/** Used once, on creation: no other answer contains the secret. */
export const toNewWire = (webhook: AccountWebhook): WireAccountWebhook => ({
  ...toWire(webhook),
  secret: webhook.secret,
})

/** Changes as in the audit log, or counts of security events with the numbers that they are about. */
export function toMessageText({ id, accountId }: AccountWebhook, events: readonly AccountEvent[]): string {
  const message = { webhook_id: id, account_id: accountId }
  const [first] = events
  if (first !== undefined && 'counted' in first)
    return JSON.stringify({
      ...message,
      after: first.after,
      until: first.until,
      events: first.counted.map(toWireCount),
      other_events: first.others,
    })
  const entries = events.flatMap((event) => ('entry' in event ? [toWireAuditLog(event.entry)] : []))
  return JSON.stringify({ ...message, events: entries })
}

const toWireCount = (counted: CountedEvents) => ({
  zone_id: counted.zoneId,
  zone_name: counted.zoneName,
  action: counted.action,
  source: counted.source,
  rule_id: counted.ruleId,
  description: counted.description,
  count: counted.count,
  first_at: counted.firstAt,
  last_at: counted.lastAt,
})
