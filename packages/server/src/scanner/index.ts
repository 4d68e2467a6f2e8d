// What scripts are made of: fetched without danger, told apart by their structure, scored.
export { createAddressGuard } from './addresses.ts'
export { createAnalyser, DEFAULT_ANALYSER_LIMITS } from './analyser.ts'
export { createHostAddresses, systemHostAddresses } from './host-addresses.ts'
export { createSafeFetch, FetchFailed, type FetchRequest, type SafeFetch } from './safe-fetch.ts'
export { createScanning, DEFAULT_SCANNING_LIMITS } from './scanning.ts'
