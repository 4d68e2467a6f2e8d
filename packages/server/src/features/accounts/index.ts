export { accountRoutes } from './accounts.routes.ts'
export { createAccounts } from './accounts.service.ts'
export { countAccounts, findAccount, listAccounts } from './accounts.store.ts'
