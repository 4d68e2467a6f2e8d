// The row of a rule in edit: its name, its action, and when it matches.
import { useMemo, useState, type FormEvent } from 'react'
import type { RuleAction, RuleDraft } from '../../api/rulesets.ts'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { strings } from '../../strings.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { ExpressionField } from './expression-field.tsx'
import { bytesOf, MAX_EXPRESSION_BYTES, problemOf } from './expression-problem.ts'

/** Actions without parameters; another one that a rule has stays choosable. */
const ACTIONS: readonly RuleAction[] = ['block', 'managed_challenge', 'js_challenge', 'challenge', 'log']

interface RuleFormProps {
  readonly start: RuleDraft
  readonly isNew: boolean
  /** Whether another action may be chosen: elsewhere the phase has only one, with parameters. */
  readonly hasActions: boolean
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onSave: (draft: RuleDraft) => void
  readonly onCancel: () => void
}

export function RuleForm({ start, isNew, hasActions, isBusy, error, onSave, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState(start)
  const { expression } = draft
  const problem = useMemo(() => problemOf(expression), [expression])
  const isChanged =
    draft.description !== start.description ||
    draft.action !== start.action ||
    expression !== start.expression
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // The parameters are of the action that it started with.
    onSave(draft.action === start.action ? draft : { ...draft, actionParameters: undefined })
  }
  return (
    <form
      className="editor"
      onSubmit={submit}
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) onCancel()
      }}
    >
      <div className="line r">
        <Field label={text.form.name}>
          {(ids) => (
            <input
              {...ids}
              className="in sans"
              value={draft.description}
              autoFocus
              onChange={({ target }) => setDraft({ ...draft, description: target.value })}
            />
          )}
        </Field>
        <Field label={text.form.action}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={draft.action}
              onChange={({ target }) => setDraft({ ...draft, action: target.value as RuleAction })} // its options
            >
              {offered(start.action, hasActions).map((action) => (
                <option key={action} value={action}>
                  {text.actionOf(action)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {draft.action === 'skip' && start.actionParameters !== undefined && (
        <p className="soft">{text.skips(start.actionParameters)}</p>
      )}
      <ExpressionField
        label={text.form.when}
        start={start.expression}
        written={expression}
        problem={problem}
        onEdited={(written) => setDraft((current) => ({ ...current, expression: written }))}
      />
      <Problem error={error} />
      <div className="foot">
        <span className="small dim">{text.bytes(bytesOf(expression), MAX_EXPRESSION_BYTES)}</span>
        <span className="fill" />
        <button type="button" className="btn" onClick={onCancel}>
          {strings.cancel} <kbd>Esc</kbd>
        </button>
        <button
          type="submit"
          className="btn primary"
          disabled={isBusy || (!isNew && !isChanged) || problem !== undefined}
        >
          {isNew ? text.form.add : text.form.save}
        </button>
      </div>
    </form>
  )
}

const offered = (own: RuleAction, hasActions: boolean): readonly RuleAction[] => {
  if (!hasActions) return [own]
  return ACTIONS.includes(own) ? ACTIONS : [own, ...ACTIONS]
}
