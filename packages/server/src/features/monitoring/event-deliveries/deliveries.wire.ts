// What webhooks and e-mail alerts have in common in wire format.
import { PAGE_SHIELD_EVENTS, type WireDeliveryTest, type WireWebhook } from '@zonereeve/contract'
import type { Outcome, Subscription } from '@zonereeve/alerts'
import type { ZoneSubscription } from './zone-subscription.rules.ts'

export const toWireKinds = (kinds: ZoneSubscription['kinds']): WireWebhook['kinds'] => [
  ...(kinds ?? PAGE_SHIELD_EVENTS),
]

export const toWireStatus = (subscription: Subscription): WireWebhook['status'] => ({
  last_event: subscription.lastEvent,
  delivered_at: subscription.deliveredAt,
  failures: subscription.failures,
  problem: subscription.problem,
  next_attempt_at: subscription.nextAttemptAt,
})

export const toWireTest = ({ isAccepted, problem }: Outcome): WireDeliveryTest => ({
  accepted: isAccepted,
  problem,
})
