// The rulesets of a zone as they would be after its migration, for previews.
import { runAtOnce } from '@zonereeve/cooperate'
import { compileRuleset, type Firewall, type Ruleset } from '../rulesets/index.ts'
import { configOf } from './migrated-config.rules.ts'
import type { LegacyFirewall } from './legacy-firewall.ts'

const PHASE = 'http_request_firewall_managed'

/** The zone's entry point of the managed rules is the one that would be deployed; all others stay unchanged. */
export function plannedFirewall({ entryPoints, custom }: Firewall, previous: LegacyFirewall): Firewall {
  const zone = new Map(entryPoints.zone).set(PHASE, runAtOnce(compileRuleset(plannedEntryPoint(previous))))
  return { entryPoints: { ...entryPoints, zone }, custom }
}

function plannedEntryPoint(previous: LegacyFirewall): Ruleset {
  const rules = configOf(previous).map(({ action, parameters, expression, description, enabled }, index) => ({
    // The rules have no IDs yet: their positions serve as IDs.
    id: `planned-${index + 1}`,
    version: 1,
    ref: `planned-${index + 1}`,
    lastUpdated: '',
    regexBytes: 0,
    definition: { action, parameters, expression, description, enabled },
  }))
  return {
    id: 'planned',
    owner: { level: 'zone', id: previous.zone.id },
    kind: 'zone',
    phase: PHASE,
    name: 'default',
    description: '',
    version: 1,
    lastUpdated: '',
    rules,
  }
}
