// What primaries and peers say to each other: transaction signatures, AXFR and IXFR, notifications, updates.
export { hmac } from './hmac.ts'
export { createMessageHandler } from './message-handler.ts'
export { createNotifier } from './notifier.ts'
export { createPeersProgress } from './peer-progress.ts'
export { createSecondaryRefresher } from './secondary-refresher.ts'
export { createUpdateResponder } from './update-responder.ts'
export {
  isLossHeld,
  lossOfMembers,
  planMembers,
  type MemberConflict,
  type MemberLoss,
  type MemberPlan,
  type MemberStep,
  type MemberZone,
  type OtherZone,
} from './catalog-zones/plan-members.ts'
export { NO_ZONE, readCatalog, UnusableCatalog, type CatalogEntry } from './catalog-zones/read-catalog.ts'
