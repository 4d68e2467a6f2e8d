export { createSignInAttempts } from './sign-in-attempts.service.ts'
export { createSignInLink } from './sign-in-links.service.ts'
export { signInRoutes } from './sign-in.routes.ts'
export { createSignIn } from './sign-in.service.ts'
