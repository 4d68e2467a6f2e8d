export { accessRoutes } from './product-rules.routes.ts'
export { accessContents, productRulesFor } from './product-rules.service.ts'
