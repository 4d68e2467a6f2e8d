export { leakedCredentialRoutes } from './leaked-credentials.routes.ts'
export { createLeakedCredentials, credentialSettingsOf } from './leaked-credentials.service.ts'
