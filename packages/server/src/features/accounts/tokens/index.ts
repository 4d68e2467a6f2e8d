export { tokenRoutes } from './tokens.routes.ts'
export {
  createTokens,
  SYSTEM_CALLER,
  type BoundOf,
  type TokenDefinition,
  type Tokens,
} from './tokens.service.ts'
export type { Bound } from './token-bounds.service.ts'
export { compilePolicies, rolePolicies } from './tokens.rules.ts'
export { countTokens, findToken } from './tokens.store.ts'
