export { loadCoreRuleSet } from './core-rule-set.service.ts'
export { findCoreRuleSet, removeCoreRuleSet, saveCoreRuleSet } from './core-rule-set.store.ts'
