export { accountRoutes } from './accounts.routes.ts'
export { createAccounts } from './accounts.service.ts'
export { countAccounts, findAccount, allAccountIds } from './accounts.store.ts'
