export {
  createZoneRules,
  zoneRuleContents,
  type ZoneRuleKind,
  type ZoneRules,
  type ZoneRulesDeps,
} from './zone-rules.service.ts'
