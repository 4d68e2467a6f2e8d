export { createPreviousFirewall } from './previous-firewall.service.ts'
export { isMigrated } from './waf-migration.store.ts'
