export { createDeliveries, type Channel, type Tests } from './deliveries.service.ts'
export { retryMillis, type Subscription } from './subscription.rules.ts'
export {
  createSubscriptions,
  subscriptionsOfZone,
  type SubscriptionsDeps,
  type SubscriptionType,
} from './subscriptions.service.ts'
export { selectDue, selectOfZone, selectOne, selectPending } from './subscriptions.store.ts'
export { toWireKinds, toWireStatus, toWireTest } from './deliveries.wire.ts'
