export type { ZoneSubscription } from './zone-subscription.rules.ts'
export {
  createSubscriptions,
  ofZones,
  subscriptionsOfZone,
  type SubscriptionsDeps,
  type SubscriptionType,
} from './subscriptions.service.ts'
export { pendingOfZone, selectDue, selectOfZone, selectOne, selectPending } from './subscriptions.store.ts'
export { toWireKinds, toWireStatus, toWireTest } from './deliveries.wire.ts'
