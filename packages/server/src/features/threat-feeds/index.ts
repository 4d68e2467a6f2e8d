export { checkInventory } from './checks.service.ts'
export {
  createImports,
  type FetchedFeed,
  type FetchFeed,
  type FeedRequest,
  type Imports,
} from './imports.service.ts'
export { judge } from './judge.ts'
export { threatFeedRoutes } from './threat-feeds.routes.ts'
export { createThreatFeeds, type ThreatFeeds } from './threat-feeds.service.ts'
