// The form that a rule has: redirects and rate limits have parameters of their own.
import type { PhaseName } from './phase-names.ts'
import { RateLimitForm } from './rate-limit-form.tsx'
import { RedirectForm } from './redirect-form.tsx'
import { RuleForm, type RuleFormProps } from './rule-form.tsx'

interface FormOfRuleProps extends RuleFormProps {
  readonly phase: PhaseName
}

export function FormOfRule({ phase, ...props }: FormOfRuleProps) {
  const { start, isNew } = props
  if (start.action === 'redirect') return <RedirectForm {...props} />
  // Others there skip rules or execute a ruleset.
  if (phase === 'rates' && (isNew || start.ratelimit !== undefined)) return <RateLimitForm {...props} />
  return <RuleForm {...props} hasActions={phase === 'custom'} />
}
