// Bounded load for a server of one's own.
export { loadDns, type DnsLoadResult, type DnsQuestion } from './dns-load.ts'
export { isLoopbackHost, MAX_CLIENTS, MAX_RATE, MAX_SECONDS, requireOwnHost } from './limits.ts'
export { loadRequests, type RequestLoadResult } from './request-load.ts'
