// Maps webhooks between wire format and domain model, and formats what is posted to them.
import type { WebhookPatch, WebhookPost, WireWebhook } from '@zonereeve/contract'
import { toWireKinds, toWireStatus } from '../event-deliveries/index.ts'
import { toWireEvent, type NumberedEvent } from '../page-shield/index.ts'
import type { Webhook, WebhookFields } from './page-shield-webhooks.rules.ts'

export const toWebhookFields = ({ url, kinds, enabled = true }: WebhookPost): WebhookFields => ({
  url,
  kinds: kinds ?? null, // all
  isEnabled: enabled,
})

export const toWebhookPatch = ({ url, kinds, enabled }: WebhookPatch): Partial<WebhookFields> => ({
  ...(url === undefined ? {} : { url }),
  ...(kinds === undefined ? {} : { kinds }),
  ...(enabled === undefined ? {} : { isEnabled: enabled }),
})

export const toWireWebhook = (webhook: Webhook): WireWebhook => ({
  id: webhook.id,
  url: webhook.url,
  kinds: toWireKinds(webhook.kinds),
  enabled: webhook.isEnabled,
  created_on: webhook.createdOn,
  status: toWireStatus(webhook),
})

/** Used once, on creation: no other answer contains the secret. */
export const toNewWireWebhook = (webhook: Webhook): WireWebhook => ({
  ...toWireWebhook(webhook),
  secret: webhook.secret,
})

/** Events as in the event list, oldest first. */
export const toDeliveryText = (id: string, zoneId: string, events: readonly NumberedEvent[]): string =>
  JSON.stringify({ webhook_id: id, zone_id: zoneId, events: events.map(toWireEvent) })
