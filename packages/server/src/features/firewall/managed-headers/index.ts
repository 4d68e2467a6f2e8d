export { managedHeaderRoutes } from './managed-headers.routes.ts'
export { createManagedHeaders, managedHeadersOf } from './managed-headers.service.ts'
