export { accountRoutes } from './accounts.routes.ts'
export { createAccounts, type Accounts } from './accounts.service.ts'
export { countAccounts, findAccount, listAccounts, type Account } from './accounts.store.ts'
