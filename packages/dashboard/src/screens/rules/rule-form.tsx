// The row of a rule in edit: its name, its action, and when it matches.
import { useMemo, useState } from 'react'
import type { RuleDraft } from '../../api/rulesets.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { ActionField } from './action-field.tsx'
import { ExpressionField } from './expression-field.tsx'
import { problemOf } from './expression-problem.ts'
import { NameField, RuleFrame, useRefusals } from './rule-frame.tsx'

export interface RuleFormProps {
  readonly start: RuleDraft
  readonly isNew: boolean
  /** Whether the plan of the zone has the action log. */
  readonly mayLog: boolean
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onSave: (draft: RuleDraft) => void
  readonly onCancel: () => void
}

interface PlainRuleFormProps extends RuleFormProps {
  /** Whether another action may be chosen: elsewhere the phase has only one, with parameters. */
  readonly hasActions: boolean
}

const FIELDS = ['description', 'action', 'expression']

export function RuleForm(props: PlainRuleFormProps) {
  const { start, isNew, hasActions, mayLog, isBusy, error, onSave, onCancel } = props
  const [draft, setDraft] = useState(start)
  const { description, action, expression } = draft
  const problem = useMemo(() => problemOf(expression), [expression])
  const { other, setSent, refusalOf } = useRefusals(draft, error, FIELDS)
  const isChanged =
    description !== start.description || action !== start.action || expression !== start.expression
  const submit = (): void => {
    setSent(draft)
    // The parameters are of the action that it started with.
    onSave(action === start.action ? draft : { ...draft, actionParameters: undefined })
  }
  return (
    <RuleFrame
      isNew={isNew}
      isDisabled={isBusy || (!isNew && !isChanged) || problem !== undefined}
      error={other}
      expression={expression}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div className="line r">
        <NameField
          value={description}
          refusal={refusalOf('description', 'description')}
          onChange={(value) => setDraft({ ...draft, description: value })}
        />
        <ActionField
          value={action}
          own={start.action}
          hasOthers={hasActions}
          mayLog={mayLog}
          refusal={refusalOf('action', 'action')}
          onChange={(value) => setDraft({ ...draft, action: value })}
        />
      </div>
      {action === 'skip' && start.actionParameters !== undefined && (
        <p className="soft">{text.skips(start.actionParameters)}</p>
      )}
      <ExpressionField
        label={text.form.when}
        start={start.expression}
        written={expression}
        problem={problem}
        refusal={refusalOf('expression', 'expression')}
        onEdited={(written) => setDraft((current) => ({ ...current, expression: written }))}
      />
    </RuleFrame>
  )
}
