export { createPageObservations, type PageObservations } from './page-observations.service.ts'
export { watchedPageRoutes } from './watched-pages.routes.ts'
export type { WatchedPage } from './watched-pages.rules.ts'
export { createWatchedPages, zoneWatchedPages, type WatchedPages } from './watched-pages.service.ts'
