// The row of a rule in edit: its name, its action, and when it matches.
import type { RuleDraft } from '../../api/rulesets.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { ActionField } from './action-field.tsx'
import { RuleFrame, useRuleDraft } from './rule-frame.tsx'

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

const fieldsOf = () => ['action']

export function RuleForm(props: PlainRuleFormProps) {
  const { start, isNew, hasActions, mayLog, isBusy, error, onSave, onCancel } = props
  const form = useRuleDraft(() => start, error, fieldsOf)
  const { draft, change, refusalOf } = form
  const { description, action, expression } = draft
  const isChanged =
    description !== start.description || action !== start.action || expression !== start.expression
  return (
    <RuleFrame
      isNew={isNew}
      isDisabled={isBusy || (!isNew && !isChanged)}
      form={form}
      beside={
        <ActionField
          value={action}
          own={start.action}
          hasOthers={hasActions}
          mayLog={mayLog}
          refusal={refusalOf('action', 'action')}
          onChange={(value) => change({ action: value })}
        />
      }
      note={
        action === 'skip' &&
        start.actionParameters !== undefined && <p className="soft">{text.skips(start.actionParameters)}</p>
      }
      // The parameters are of the action that it started with.
      onSubmit={() => onSave(action === start.action ? draft : { ...draft, actionParameters: undefined })}
      onCancel={onCancel}
    />
  )
}
