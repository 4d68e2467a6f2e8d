// A caching stub resolver for names outside our zones.
export { createAskServer } from './ask-server.ts'
export type { AskServer } from './ask-server.ts'
export { NoAnswer } from './query.ts'
export type { Server } from './query.ts'
export { DEFAULT_RESOLVER_LIMITS } from './limits.ts'
export { createResolver } from './resolver.ts'
export type { Resolution, Resolver } from './resolver.ts'
export { createStub } from './stub.ts'
