export { acmeChallengeRoutes } from './acme-challenges.routes.ts'
export { createAcmeChallenges, type AcmeChallenges } from './acme-challenges.service.ts'
