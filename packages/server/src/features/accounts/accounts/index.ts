export { accountRoutes } from './accounts.routes.ts'
export { createAccounts, requireAccount } from './accounts.service.ts'
export { countAccounts, findAccount, allAccountIds } from './accounts.store.ts'
