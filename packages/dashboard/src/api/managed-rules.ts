// The managed rulesets of a zone: which are executed, with which threshold, and the scores of the zone's requests.
import { queryOptions } from '@tanstack/react-query'
import type { anomalyScores, WireAnomalyScores, zoneRulesets } from '@zonereeve/contract'
import { call } from './call.ts'
import type { entryPoint } from './migration.ts'
import { zoneKeys } from './zones.ts'

export type { WireAnomalyScores } from '@zonereeve/contract'
export { entryPoint } from './migration.ts'

const PHASE = 'http_request_firewall_managed'
export const MANAGED_RULESET_ID = 'efb7b8c949ac4650a09736fc376e9aee'
export const OWASP_RULESET_ID = '4814384a9e5d4991b9815dcfc25d2f1f'
const SCORE_RULE_ID = '6179ae15870a4bb7b2d480d4843b323c'

export type EntryPoint = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof entryPoint>['queryFn']>>>
>
type Rule = EntryPoint['rules'][number]

/** What happens to a request that reaches the threshold. */
export type ThresholdAction = 'block' | 'log' | 'managed_challenge'
export interface Threshold {
  readonly score: number
  readonly action: ThresholdAction
}

export const anomalyScoresOf = (zoneId: string, days: number) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'anomaly scores', days],
    queryFn: async ({ signal }): Promise<WireAnomalyScores> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/firewall/scores' } as const
      const input = { params: { zone_id: zoneId }, query: { days } }
      return (await call<typeof anomalyScores.get>(route, input, { signal })).result
    },
  })

/** The managed rulesets that the server offers. */
export const managedRulesetsOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'managed rulesets'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/rulesets' } as const
      const { result } = await call<typeof zoneRulesets.list>(
        route,
        { params: { zone_id: zoneId } },
        { signal },
      )
      return result.filter(({ kind, phase }) => kind === 'managed' && phase === PHASE)
    },
  })

/** The rules that stop ordinary strings, those that stop most first. */
export const ordinaryStringsOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'ordinary strings'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/rulesets/{ruleset_id}' } as const
      const params = { zone_id: zoneId, ruleset_id: MANAGED_RULESET_ID }
      const { result } = await call<typeof zoneRulesets.get>(route, { params }, { signal })
      return (result.rules ?? []) // a ruleset can be empty
        .flatMap(({ id, description = '', ordinary_strings: counts }) =>
          counts === undefined || counts.stopped === 0 ? [] : [{ id, description, ...counts }],
        )
        .toSorted((a, b) => b.stopped - a.stopped)
    },
  })

/** The rule of the entry point that executes a ruleset. */
export const executing = (entry: EntryPoint | null, rulesetId: string): Rule | undefined =>
  entry?.rules.find(
    ({ action, action_parameters: parameters }) => action === 'execute' && parameters?.['id'] === rulesetId,
  )

interface Overrides {
  readonly rules?: readonly {
    readonly id: string
    readonly score_threshold?: number
    readonly action?: string
  }[]
}

const overridesOf = (rule: Rule): Overrides => (rule.action_parameters?.['overrides'] ?? {}) as Overrides // of execute rules

/** The number of overrides by rule. */
export const overrideCount = (rule: Rule): number => overridesOf(rule).rules?.length ?? 0 // without overrides

/** The zone's threshold; the ruleset's own is 40, and blocks. */
export function thresholdOf(rule: Rule): Threshold {
  const own = overridesOf(rule).rules?.find(({ id }) => id === SCORE_RULE_ID)
  const action = (['block', 'log', 'managed_challenge'] as const).find((name) => name === own?.action)
  return { score: own?.score_threshold ?? DEFAULT_SCORE, action: action ?? 'block' }
}

const DEFAULT_SCORE = 40

/** Executes a ruleset for all requests, after the rules that are there. */
export async function execute(zoneId: string, entry: EntryPoint | null, rulesetId: string): Promise<void> {
  const rule = { action: 'execute' as const, expression: 'true', action_parameters: { id: rulesetId } }
  if (entry === null) {
    const route = {
      method: 'PUT',
      path: '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint',
    } as const
    const params = { zone_id: zoneId, ruleset_phase: PHASE } as const
    await call<typeof zoneRulesets.updateEntryPoint>(route, { params, body: { rules: [rule] } })
    return
  }
  const route = { method: 'POST', path: '/zones/{zone_id}/rulesets/{ruleset_id}/rules' } as const
  await call<typeof zoneRulesets.createRule>(route, {
    params: { zone_id: zoneId, ruleset_id: entry.id },
    body: rule,
  })
}

/** Turns an execute rule on or off, or changes its threshold; everything else of it stays. */
export async function changeExecution(
  zoneId: string,
  entry: EntryPoint,
  rule: Rule,
  change: { readonly enabled?: boolean; readonly threshold?: Threshold },
): Promise<void> {
  const route = { method: 'PATCH', path: '/zones/{zone_id}/rulesets/{ruleset_id}/rules/{rule_id}' } as const
  await call<typeof zoneRulesets.editRule>(route, {
    params: { zone_id: zoneId, ruleset_id: entry.id, rule_id: rule.id },
    body: {
      action: rule.action,
      expression: rule.expression ?? 'true', // only managed rules have none
      ...(rule.description !== undefined && { description: rule.description }),
      ref: rule.ref,
      enabled: change.enabled ?? rule.enabled,
      action_parameters: {
        ...rule.action_parameters,
        ...(change.threshold !== undefined && { overrides: withThreshold(rule, change.threshold) }),
      },
    },
  })
}

/** Other overrides of the rule stay as they are. */
function withThreshold(rule: Rule, { score, action }: Threshold): Overrides {
  const overrides = overridesOf(rule)
  const others = (overrides.rules ?? []).filter(({ id }) => id !== SCORE_RULE_ID) // without overrides there are none
  const own = { id: SCORE_RULE_ID, score_threshold: score, action }
  return { ...overrides, rules: [...others, own] }
}
