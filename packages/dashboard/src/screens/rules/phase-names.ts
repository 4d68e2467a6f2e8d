// The phases whose rules have a screen, as the screens call them.
import type { RuleDraft, RulePhase } from '../../api/rulesets.ts'

export type PhaseName = 'redirects' | 'custom' | 'rates' | 'managed'

export const PHASES: Readonly<Record<PhaseName, RulePhase>> = {
  redirects: 'http_request_dynamic_redirect',
  custom: 'http_request_firewall_custom',
  rates: 'http_ratelimit',
  managed: 'http_request_firewall_managed',
}

/** What a new rule starts with. */
export const newRuleOf = (phase: PhaseName): RuleDraft => ({
  description: '',
  action: phase === 'redirects' ? 'redirect' : 'block',
  expression: '',
})
