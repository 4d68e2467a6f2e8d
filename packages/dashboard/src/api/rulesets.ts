// A zone's own rules: the entry point of a phase, and changes of single rules.
import { queryOptions } from '@tanstack/react-query'
import type { WireRuleset, zoneRulesets } from '@zonereeve/contract'
import { ApiError, call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireRuleset } from '@zonereeve/contract'
export type WireRule = WireRuleset['rules'][number]
export type RuleAction = WireRule['action']
export type RateLimit = NonNullable<WireRule['ratelimit']>

/** The phases whose rules can be written here, in the order of evaluation. */
export type RulePhase =
  | 'http_request_dynamic_redirect'
  | 'http_request_firewall_custom'
  | 'http_ratelimit'
  | 'http_request_firewall_managed'

/** What the forms have of a rule. */
export interface RuleDraft {
  readonly description: string
  readonly action: RuleAction
  readonly expression: string
  /** Of a rule whose action needs them; undefined leaves those that the rule has. */
  readonly actionParameters?: Readonly<Record<string, unknown>> | undefined
  readonly ratelimit?: RateLimit | undefined
  /** Of a new rule that is not the last. */
  readonly position?: { readonly index: number } | undefined
}

/** Parameters belong to the action with which they came. */
function newRule({ position: _position, ...draft }: RuleDraft) {
  return writtenMembers(draft)
}

function writtenMembers<Draft extends RuleChange>({ actionParameters, ratelimit, ...members }: Draft) {
  return {
    ...members,
    ...(actionParameters !== undefined && { action_parameters: actionParameters }),
    ...(ratelimit !== undefined && { ratelimit }),
  }
}

/** null if the phase has no rules yet. */
export const rulesOf = (zoneId: string, phase: RulePhase) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'rules', phase],
    queryFn: async ({ signal }): Promise<WireRuleset | null> => {
      const route = {
        method: 'GET',
        path: '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint',
      } as const
      const params = { zone_id: zoneId, ruleset_phase: phase } as const
      try {
        return (await call<typeof zoneRulesets.entryPoint>(route, { params }, { signal })).result
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** Adds a rule behind the others; creates the ruleset with the first one. */
export async function addRule(
  zoneId: string,
  phase: RulePhase,
  ruleset: WireRuleset | null,
  rule: RuleDraft,
): Promise<void> {
  if (ruleset === null) {
    const route = {
      method: 'PUT',
      path: '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint',
    } as const
    const params = { zone_id: zoneId, ruleset_phase: phase } as const
    await call<typeof zoneRulesets.updateEntryPoint>(route, { params, body: { rules: [newRule(rule)] } })
    return
  }
  const route = { method: 'POST', path: '/zones/{zone_id}/rulesets/{ruleset_id}/rules' } as const
  const params = { zone_id: zoneId, ruleset_id: ruleset.id }
  const position = rule.position === undefined ? {} : { position: rule.position }
  await call<typeof zoneRulesets.createRule>(route, { params, body: { ...newRule(rule), ...position } })
}

const ONE_RULE = '/zones/{zone_id}/rulesets/{ruleset_id}/rules/{rule_id}'

const paramsOf = (zoneId: string, ruleset: WireRuleset, rule: WireRule) => ({
  zone_id: zoneId,
  ruleset_id: ruleset.id,
  rule_id: rule.id,
})

type RuleChange = Partial<Omit<RuleDraft, 'position'>> & {
  readonly enabled?: boolean
}

/** The API replaces a rule as a whole: what the form does not have is sent as it is. */
export function changedRule(rule: WireRule, change: RuleChange) {
  const { id: _id, version: _version, last_updated: _updated, categories: _tags, ...members } = rule
  const written = writtenMembers(change)
  if (change.action === undefined || change.action === rule.action) return { ...members, ...written }
  // Parameters and logging belong to the action.
  const { action_parameters: _parameters, logging: _logging, ...others } = members
  return { ...others, ...written }
}

export async function changeRule(
  zoneId: string,
  ruleset: WireRuleset,
  rule: WireRule,
  change: RuleChange,
): Promise<void> {
  const route = { method: 'PATCH', path: ONE_RULE } as const
  const params = paramsOf(zoneId, ruleset, rule)
  await call<typeof zoneRulesets.editRule>(route, { params, body: changedRule(rule, change) })
}

/** @param index Its new place, from 1. */
export async function moveRule(
  zoneId: string,
  ruleset: WireRuleset,
  rule: WireRule,
  index: number,
): Promise<void> {
  const route = { method: 'PATCH', path: ONE_RULE } as const
  const params = paramsOf(zoneId, ruleset, rule)
  await call<typeof zoneRulesets.editRule>(route, { params, body: { position: { index } } })
}

export async function removeRule(zoneId: string, ruleset: WireRuleset, rule: WireRule): Promise<void> {
  const route = { method: 'DELETE', path: ONE_RULE } as const
  await call<typeof zoneRulesets.deleteRule>(route, { params: paramsOf(zoneId, ruleset, rule) })
}
