// What the forms of all rules share: the name first, when it matches, Escape, what the API refuses, and the buttons.
import { useMemo, useState, type FormEvent, type ReactNode } from 'react'
import { TextField } from '../../parts/text-field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { strings } from '../../strings.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { ExpressionField } from './expression-field.tsx'
import { bytesOf, MAX_EXPRESSION_BYTES, problemOf } from './expression-problem.ts'
import { issuesByField } from './rule-issues.ts'

/** What every rule has. */
interface CommonDraft {
  readonly description: string
  readonly expression: string
}

/** @param fieldsOf Paths of the rule that the form shows, besides those of every rule. */
export function useRuleDraft<Draft extends CommonDraft>(
  read: () => Draft,
  error: Error | null,
  fieldsOf: (draft: Draft) => readonly string[],
) {
  const [first] = useState(read)
  const [draft, setDraft] = useState(first)
  const { expression } = draft
  const problem = useMemo(() => problemOf(expression), [expression])
  /** What was sent last. */
  const [sent, setSent] = useState<Draft>()
  const { byField, other } = issuesByField(error, ['description', 'expression', ...fieldsOf(draft)])
  return {
    first,
    draft,
    change: (members: Partial<Draft>): void => setDraft((current) => ({ ...current, ...members })),
    problem,
    /** What is about none of the fields. */
    other,
    noteSent: (): void => setSent(draft),
    /**
     * What the API refused of what was sent, for as long as it is still written.
     * @param members Of the draft, that the field shows.
     */
    refusalOf: (field: string, ...members: readonly (keyof Draft)[]): string | undefined =>
      sent !== undefined && members.every((member) => sent[member] === draft[member])
        ? byField.get(field)
        : undefined,
  }
}

interface RuleFrameProps {
  readonly isNew: boolean
  /** It is unchanged or being sent, or something is wrong besides the expression. */
  readonly isDisabled: boolean
  readonly form: ReturnType<typeof useRuleDraft<CommonDraft>>
  /** Beside the name. */
  readonly beside: ReactNode
  /** Before the expression. */
  readonly note?: ReactNode
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children?: ReactNode
}

export function RuleFrame({
  isNew,
  form,
  beside,
  note,
  onSubmit,
  onCancel,
  children,
  ...props
}: RuleFrameProps) {
  const { first, draft, change, problem, other, noteSent, refusalOf } = form
  const { description, expression } = draft
  const isDisabled = props.isDisabled || problem !== undefined
  return (
    <form
      className="editor"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isDisabled) return
        noteSent()
        onSubmit()
      }}
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) onCancel()
      }}
    >
      <div className="line r">
        <NameField
          value={description}
          refusal={refusalOf('description', 'description')}
          onChange={(value) => change({ description: value })}
        />
        {beside}
      </div>
      {note}
      <ExpressionField
        label={text.form.when}
        start={first.expression}
        written={expression}
        problem={problem}
        refusal={refusalOf('expression', 'expression')}
        onEdited={(written) => change({ expression: written })}
      />
      {children}
      <Problem error={other} />
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

const NameField = ({ value, refusal, onChange }: NameFieldProps) => (
  <TextField label={text.form.name} error={refusal} isProse value={value} autoFocus onChange={onChange} />
)
