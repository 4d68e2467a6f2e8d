// Signing in: what roles may do, and how people prove who they are. No HTTP server, no storage.
export { createAttempts, type Attempt, type AttemptLimit, type Attempts } from './attempts.ts'
export { createCredentialCache, hashSecret, type CredentialCache } from './credential-cache.ts'
export { acceptCode, createRecoveryCodes, createTotpKey, hashRecoveryCode } from './one-time-code.ts'
export {
  hashPassword,
  isPassword,
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  passwordProblem,
} from './password.ts'
export { isHeldBy, ROLES, ZONE_ROLES, type Role, type ZoneRole } from './roles.ts'
export {
  createPasskeyChecks,
  PASSKEY_CHALLENGE_MILLIS,
  relyingPartyOf,
  type PasskeyChecks,
  type RelyingParty,
  type StoredPasskey,
} from './passkeys.ts'
export { createTickets, type Tickets } from './tickets.ts'
export {
  parseRoleMapping,
  personOf,
  type PersonProblem,
  type PersonRules,
  type RoleMapping,
} from './person.ts'
export { createProvider, ProviderError, type Provider, type ProviderSettings } from './provider.ts'
