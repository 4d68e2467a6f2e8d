// The row of a rule in edit: its name, its action, and when it matches.
import { lazy, Suspense, useMemo, useState, type FormEvent } from 'react'
import type { RuleAction, RuleDraft } from '../../api/rulesets.ts'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Loading } from '../../parts/states.tsx'
import { ruleStrings as text } from '../../strings/rules.ts'
import { bytesOf, MAX_EXPRESSION_BYTES, problemOf, type ExpressionProblem } from './expression-problem.ts'

const ExpressionEditor = lazy(async () => {
  const { ExpressionEditor: component } = await import('./expression-editor.tsx')
  return { default: component }
})

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
    onSave(draft)
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
      <ExpressionField
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
          {text.form.cancel} <kbd>Esc</kbd>
        </button>
        <button
          type="submit"
          className="btn primary"
          disabled={isBusy || !isChanged || problem !== undefined}
        >
          {isNew ? text.form.add : text.form.save}
        </button>
      </div>
    </form>
  )
}

interface ExpressionFieldProps {
  readonly start: string
  readonly written: string
  readonly problem: ExpressionProblem | undefined
  readonly onEdited: (expression: string) => void
}

function ExpressionField({ start, written, problem, onEdited }: ExpressionFieldProps) {
  const isBlank = written.trim() === ''
  return (
    <div className="f">
      <span className="lab">{text.form.when}</span>
      <Suspense fallback={<Loading />}>
        <ExpressionEditor label={text.editor} start={start} onEdited={onEdited} />
      </Suspense>
      <div role="status">
        {isBlank && <span className="hint">{text.noExpression}</span>}
        {!isBlank && problem !== undefined && <Caret problem={problem} />}
      </div>
    </div>
  )
}

const offered = (own: RuleAction, hasActions: boolean): readonly RuleAction[] => {
  if (!hasActions) return [own]
  return ACTIONS.includes(own) ? ACTIONS : [own, ...ACTIONS]
}

/** The line that is wrong, and carets below. */
function Caret({
  problem: { line, column, text: written, span, message, similar },
}: {
  readonly problem: ExpressionProblem
}) {
  const carets = Math.max(1, Math.min(span.end - span.start, written.length - column + 1))
  return (
    <div className="code wrong" tabIndex={0}>
      <div>
        <span>{line}</span>
        <span>{written}</span>
      </div>
      <div className="caret">
        <span />
        <span>
          {' '.repeat(column - 1)}
          {'^'.repeat(carets)} {text.wrong(line, column, message)}
          {similar !== undefined && text.similar(similar)}
        </span>
      </div>
    </div>
  )
}
