// Conversion of the legacy managed rules to the wire format. Members are in the order of the live API.
import type { WireWafGroup, WireWafPackage, WireWafRule } from '@zonereeve/contract'
import type { WafGroup, WafPackage, WafRule } from './waf-packages.rules.ts'

export function toWirePackage(found: WafPackage, zoneId: string): WireWafPackage {
  return {
    id: found.id,
    name: found.name,
    description: found.description,
    zone_id: zoneId,
    detection_mode: found.detectionMode,
    status: 'active',
    ...(found.score === null
      ? {}
      : { sensitivity: found.score.sensitivity, action_mode: found.score.actionMode }),
  }
}

export function toWireGroup(group: WafGroup): WireWafGroup {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    rules_count: group.ruleCount,
    modified_rules_count: group.modifiedRuleCount,
    package_id: group.packageId,
    mode: group.mode,
    allowed_modes: ['on', 'off'],
  }
}

export function toWireRule(rule: WafRule): WireWafRule {
  const { kind, defaultMode } = rule
  return {
    id: rule.id,
    description: rule.description,
    priority: rule.priority,
    group: { id: rule.groupId, name: rule.groupName },
    package_id: rule.packageId,
    allowed_modes: [...rule.allowedModes],
    mode: rule.mode,
    ...(kind === 'deny' && defaultMode !== 'on' && defaultMode !== 'off'
      ? { default_mode: defaultMode }
      : {}),
  }
}
