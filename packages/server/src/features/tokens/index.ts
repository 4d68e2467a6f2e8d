export { tokenRoutes } from './tokens.routes.ts'
export { createTokens, SYSTEM_CALLER, type TokenDefinition } from './tokens.service.ts'
export { countTokens } from './tokens.store.ts'
