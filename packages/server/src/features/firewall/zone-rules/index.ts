export {
  createZoneRules,
  zoneRuleContents,
  type ZoneRuleKind,
  type ZoneRulesDeps,
} from './zone-rules.service.ts'
