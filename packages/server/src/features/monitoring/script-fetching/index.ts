// Fetches scripts safely, hashes their structure and scores them.
export { createAddressGuard } from './addresses.ts'
export { createAnalyser, DEFAULT_ANALYSER_LIMITS } from './analyser.ts'
export { createComparison } from './comparison.ts'
export { createFeedFetch } from './feed-fetch.ts'
export { createHostAddresses, systemHostAddresses } from './host-addresses.ts'
export { createSafeFetch, type FetchRequest, type SafeFetch } from './safe-fetch.ts'
export { createScanning, DEFAULT_SCANNING_LIMITS } from './scanning.ts'
export { createWebhookPost } from './webhook-post.ts'
