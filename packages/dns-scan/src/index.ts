// Scans a zone at the nameservers that it is currently delegated to.
export { DEFAULT_DNS_SCAN_LIMITS } from './limits.ts'
export { createDnsScan } from './dns-scan.ts'
export type { DnsScan } from './dns-scan.ts'
