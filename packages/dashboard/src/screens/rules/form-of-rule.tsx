// The form that a rule has: redirects and rate limits have parameters of their own.
import type { WireZone } from '../../api/zones.ts'
import type { PhaseName } from './phase-names.ts'
import { RateLimitForm } from './rate-limit-form.tsx'
import { RedirectForm } from './redirect-form.tsx'
import { RuleForm, type RuleFormProps } from './rule-form.tsx'

interface FormOfRuleProps extends Omit<RuleFormProps, 'mayLog'> {
  readonly phase: PhaseName
  readonly zone: WireZone
}

export function FormOfRule({ phase, zone, ...others }: FormOfRuleProps) {
  const { start, isNew } = others
  const props: RuleFormProps = { ...others, mayLog: zone.plan.legacy_id === 'enterprise' }
  if (start.action === 'redirect') return <RedirectForm {...props} />
  // Others there skip rules or execute a ruleset.
  if (phase === 'rates' && (isNew || start.ratelimit !== undefined)) return <RateLimitForm {...props} />
  return <RuleForm {...props} hasActions={phase === 'custom'} />
}
