// Fetches scripts safely, hashes their structure and scores them.
export { createAnalyser, DEFAULT_ANALYSER_LIMITS } from './analyser.ts'
export { createComparison } from './comparison.ts'
export { createFeedFetch } from './feed-fetch.ts'
export { createPageChecks, type ScanPage } from './page-checks.ts'
export { createScanning, DEFAULT_SCANNING_LIMITS } from './scanning.ts'
export { createWebhookPost } from './webhook-post.ts'
