export { createPreviousFirewall } from './previous-firewall.service.ts'
export { migrateEntryPoint, wafMigrationRoutes } from './waf-migration.routes.ts'
export { createWafMigration } from './waf-migration.service.ts'
export { isMigrated } from './waf-migration.store.ts'
