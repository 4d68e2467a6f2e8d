export { BASE_PATHS } from './paths.ts'
export { PROFILES } from './profiles.ts'
export { pageOf, route, type Reply, type Route } from './route.ts'
export { createHttpServer } from './server.ts'
