// Accounts, users and tokens: the interface for other areas.
export { allAccountIds, findAccount, requireAccount } from './accounts/index.ts'
export { toWireAuditLog } from './audit-logs/index.ts'
export { type Bound, type BoundOf, findToken, SYSTEM_CALLER, type Tokens } from './tokens/index.ts'
