// What the forms of all rules share: the name first, Escape, what the API refuses, and the buttons.
import { useState, type FormEvent, type ReactNode } from 'react'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { strings } from '../../strings.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { bytesOf, MAX_EXPRESSION_BYTES } from './expression-problem.ts'
import { issuesByField } from './rule-issues.ts'

/** What the API refused of what was sent, for as long as it is still written. */
export function useRefusals<Draft extends object>(
  draft: Draft,
  error: Error | null,
  fields: readonly string[],
) {
  const [sent, setSent] = useState<Draft>()
  const { byField, other } = issuesByField(error, fields)
  return {
    other,
    /** To be called with what is sent. */
    setSent,
    /** @param members Of the draft, that the field shows. */
    refusalOf: (field: string, ...members: readonly (keyof Draft)[]): string | undefined =>
      sent !== undefined && members.every((member) => sent[member] === draft[member])
        ? byField.get(field)
        : undefined,
  }
}

interface RuleFrameProps {
  readonly isNew: boolean
  /** It is wrong, unchanged or being sent. */
  readonly isDisabled: boolean
  /** What is about none of the fields. */
  readonly error: Error | null
  readonly expression: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

export function RuleFrame(props: RuleFrameProps) {
  const { isNew, isDisabled, error, expression, onSubmit, onCancel, children } = props
  return (
    <form
      className="editor"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (!isDisabled) onSubmit()
      }}
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) onCancel()
      }}
    >
      {children}
      <Problem error={error} />
      <div className="foot">
        <span className="small dim">{text.bytes(bytesOf(expression), MAX_EXPRESSION_BYTES)}</span>
        <span className="fill" />
        <button type="button" className="btn" onClick={onCancel}>
          {strings.cancel} <kbd>Esc</kbd>
        </button>
        <button type="submit" className="btn primary" disabled={isDisabled}>
          {isNew ? text.form.add : text.form.save}
        </button>
      </div>
    </form>
  )
}

interface NameFieldProps {
  readonly value: string
  readonly refusal: string | undefined
  readonly onChange: (value: string) => void
}

export const NameField = ({ value, refusal, onChange }: NameFieldProps) => (
  <Field label={text.form.name} error={refusal}>
    {(ids) => (
      <input
        {...ids}
        className="in sans"
        value={value}
        autoFocus
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
