// The row of a redirect in edit: when it matches, where it leads, and with which status.
import { useMemo, useState } from 'react'
import { Field } from '../../parts/field.tsx'
import { useLeftField } from '../../parts/left-field.ts'
import { ruleStrings } from '../../strings/rules.ts'
import { ExpressionField } from './expression-field.tsx'
import { stringProblemOf } from './expression-problem.ts'
import {
  readRedirect,
  REDIRECT_STATUSES,
  targetProblem,
  writeRedirect,
  type RedirectDraft,
} from './redirect-draft.ts'
import type { RuleFormProps } from './rule-form.tsx'
import { RuleFrame, useRuleDraft } from './rule-frame.tsx'

const text = ruleStrings.redirect

const TARGET = 'action_parameters/from_value/target_url'
const STATUS = 'action_parameters/from_value/status_code'
const fieldsOf = () => [TARGET, STATUS]

export function RedirectForm({ start, isNew, isBusy, error, onSave, onCancel }: RuleFormProps) {
  const form = useRuleDraft(() => readRedirect(start), error, fieldsOf)
  const { first, draft, change, refusalOf } = form
  const isChanged = JSON.stringify(writeRedirect(draft)) !== JSON.stringify(writeRedirect(first))
  return (
    <RuleFrame
      isNew={isNew}
      isDisabled={isBusy || targetProblem(draft) !== undefined || (!isNew && !isChanged)}
      form={form}
      beside={
        <Field label={text.status} error={refusalOf(STATUS, 'status')}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={draft.status}
              onChange={({ target }) => change({ status: Number(target.value) })}
            >
              {REDIRECT_STATUSES.map((status) => (
                <option key={status} value={status}>
                  {text.statuses[status]}
                </option>
              ))}
            </select>
          )}
        </Field>
      }
      onSubmit={() => onSave(writeRedirect(draft))}
      onCancel={onCancel}
    >
      <TargetFields
        draft={draft}
        refusal={refusalOf(TARGET, 'isComputed', draft.isComputed ? 'target' : 'url')}
        onChange={change}
      />
    </RuleFrame>
  )
}

interface TargetFieldsProps {
  readonly draft: RedirectDraft
  readonly refusal: string | undefined
  readonly onChange: (members: Partial<RedirectDraft>) => void
}

function TargetFields({ draft, refusal, onChange }: TargetFieldsProps) {
  const { isLeft, leave } = useLeftField()
  const { isComputed } = draft
  return (
    <>
      <fieldset className="choice beside">
        <legend className="small soft">{text.target}</legend>
        {[false, true].map((computed) => (
          <label key={String(computed)} className="opt">
            <input
              type="radio"
              name="target"
              className="ck"
              checked={isComputed === computed}
              onChange={() => onChange({ isComputed: computed })}
            />
            <span>{computed ? text.computed : text.fixed}</span>
          </label>
        ))}
      </fieldset>
      {isComputed ? (
        <ComputedTarget draft={draft} refusal={refusal} onChange={onChange} />
      ) : (
        <Field
          label={text.url}
          className="target"
          hint={text.urlHint}
          error={isLeft ? (targetProblem(draft) ?? refusal) : refusal}
        >
          {(ids) => (
            <input
              {...ids}
              className="in"
              inputMode="url"
              spellCheck={false}
              value={draft.url}
              onBlur={leave}
              onChange={({ target: field }) => onChange({ url: field.value })}
            />
          )}
        </Field>
      )}
      <label className="opt">
        <input
          type="checkbox"
          className="ck"
          checked={draft.keepsQuery}
          onChange={({ target: box }) => onChange({ keepsQuery: box.checked })}
        />
        <span>{text.keepsQuery}</span>
      </label>
    </>
  )
}

/** Mounted each time that it is chosen: the editor then starts with what was written before. */
function ComputedTarget({ draft: { target }, refusal, onChange }: TargetFieldsProps) {
  const [start] = useState(target)
  const problem = useMemo(() => stringProblemOf(target), [target])
  return (
    <ExpressionField
      label={text.computedUrl}
      editor={text.computedUrl}
      hint={text.noTarget}
      start={start}
      written={target}
      problem={problem}
      refusal={refusal}
      problemIn={stringProblemOf}
      onEdited={(written) => onChange({ target: written })}
    />
  )
}
