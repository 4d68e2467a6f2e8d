// The action of a rule, of those that need no parameters and that the plan of the zone has.
import type { RuleAction } from '../../api/rulesets.ts'
import { Field } from '../../parts/field.tsx'
import { ruleStrings as text } from '../../strings/rules.ts'

const ACTIONS: readonly RuleAction[] = ['block', 'managed_challenge', 'js_challenge', 'challenge']

interface ActionFieldProps {
  readonly value: RuleAction
  /** What the rule has stays choosable. */
  readonly own: RuleAction
  /** Whether another may be chosen. */
  readonly hasOthers: boolean
  /** On some plans log is refused. */
  readonly mayLog: boolean
  readonly refusal: string | undefined
  readonly onChange: (action: RuleAction) => void
}

export function ActionField({ value, own, hasOthers, mayLog, refusal, onChange }: ActionFieldProps) {
  return (
    <Field label={text.form.action} error={refusal}>
      {(ids) => (
        <select
          {...ids}
          className="sel"
          value={value}
          onChange={({ target }) => onChange(target.value as RuleAction)} // its options
        >
          {offered(own, hasOthers, mayLog).map((action) => (
            <option key={action} value={action}>
              {text.actionOf(action)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function offered(own: RuleAction, hasOthers: boolean, mayLog: boolean): readonly RuleAction[] {
  if (!hasOthers) return [own]
  const actions: readonly RuleAction[] = mayLog ? [...ACTIONS, 'log'] : ACTIONS
  return actions.includes(own) ? actions : [own, ...actions]
}
