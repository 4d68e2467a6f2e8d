export { createSignInAttempts } from './sign-in-attempts.service.ts'
export { createSignInLink } from './sign-in-links.service.ts'
export { managedUserRoutes } from './managed-users.routes.ts'
export { createManagedUsers } from './managed-users.service.ts'
export { createOwnSignIn } from './own-sign-in.service.ts'
export { ownSignInRoutes } from './own-sign-in.routes.ts'
export { signInRoutes } from './sign-in.routes.ts'
export { passkeyRoutes } from './passkeys.routes.ts'
export {
  configuredProvider,
  createProviderSignIn,
  type IdentityProvider,
} from './provider-sign-in.service.ts'
export { createPasskeys } from './passkeys.service.ts'
export { createSignIn } from './sign-in.service.ts'
