// Zones on their way to other nameservers and from them: transaction signatures, transfers, notifications.
export { createExchange } from './exchange.ts'
export { createNotifier } from './notifier.ts'
export { createOutgoing } from './outgoing.ts'
export { createTransferPolicies } from './policy.ts'
export { createUpdateResponder } from './update-responder.ts'
export type { UpdateResponderDeps } from './update-responder.ts'
