// A stub resolver with a memory: what other nameservers say about names outside our zones.
export type { Server } from './exchange.ts'
export { DEFAULT_RESOLVER_LIMITS } from './limits.ts'
export { createResolver } from './resolver.ts'
export type { Resolution, Resolver } from './resolver.ts'
export { createStub } from './stub.ts'
