// A stub resolver with a memory: what other nameservers say about names outside our zones.
export { createAskServer } from './ask-server.ts'
export type { AskServer } from './ask-server.ts'
export { NoAnswer } from './exchange.ts'
export type { Server } from './exchange.ts'
export { DEFAULT_RESOLVER_LIMITS } from './limits.ts'
export { createResolver } from './resolver.ts'
export type { Resolution, Resolver } from './resolver.ts'
export { createStub } from './stub.ts'
