export { productRulesFor } from './product-rules.service.ts'
