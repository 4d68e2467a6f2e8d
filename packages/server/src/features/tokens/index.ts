export { tokenRoutes } from './tokens.routes.ts'
export { administratorPolicies, type Policy } from './tokens.rules.ts'
export { createTokens, type TokenDefinition, type Tokens } from './tokens.service.ts'
export { countTokens } from './tokens.store.ts'
