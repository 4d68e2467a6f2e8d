// The field of an expression: its editor, and below it the line that is wrong.
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { ruleStrings as text } from '../../strings/rules.ts'
import type { Repair } from './expression-editor.tsx'
import type { ExpressionProblem, OfferedName } from './expression-problem.ts'

const ExpressionEditor = lazy(async () => {
  const { ExpressionEditor: component } = await import('./expression-editor.tsx')
  return { default: component }
})

interface ExpressionFieldProps {
  readonly label: string
  /** What the editor is called: it contains the label. */
  readonly editor?: string
  /** What is written in an empty one. */
  readonly hint?: string
  readonly start: string
  readonly written: string
  readonly problem: ExpressionProblem | undefined
  /** What the server said of what is written. */
  readonly refusal?: string | undefined
  /** The same function every time; by default that of requests. */
  readonly problemIn?: (expression: string) => ExpressionProblem | undefined
  readonly names?: readonly OfferedName[]
  readonly onEdited: (expression: string) => void
}

export function ExpressionField(props: ExpressionFieldProps) {
  const {
    label,
    editor = text.editorOf(props.label),
    hint = text.noExpression,
    start,
    written,
    onEdited,
  } = props
  const { problem, refusal, problemIn, names } = props
  const isBlank = written.trim() === ''
  const [repair, setRepair] = useState<Repair>()
  return (
    <div className="f">
      <span className="lab">{label}</span>
      <Suspense fallback={<div className="text-editor waiting" />}>
        <ExpressionEditor
          label={editor}
          start={start}
          repair={repair}
          onEdited={onEdited}
          {...(problemIn !== undefined && { problemIn })}
          {...(names !== undefined && { names })}
        />
      </Suspense>
      <div role="status">
        {isBlank && <span className="hint">{hint}</span>}
        {!isBlank && problem !== undefined && <Caret problem={problem} />}
        {problem === undefined && refusal !== undefined && <Refusal message={refusal} />}
      </div>
      {!isBlank && problem?.similar !== undefined && (
        <RepairButton problem={problem} similar={problem.similar} onRepair={setRepair} />
      )}
    </div>
  )
}

interface RepairButtonProps {
  readonly problem: ExpressionProblem
  readonly similar: string
  readonly onRepair: (repair: Repair) => void
}

const RepairButton = ({ problem: { span }, similar, onRepair }: RepairButtonProps) => (
  <div className="row">
    <button
      type="button"
      className="btn"
      onClick={() => onRepair({ from: span.start, to: span.end, insert: similar })}
    >
      {text.use(similar)}
    </button>
  </div>
)

/** The server's frame of an error has lines whose columns count. */
const Refusal = ({ message }: { readonly message: string }) =>
  message.includes('\n') ? (
    <pre tabIndex={0} className="code wrap wrong">
      {message}
    </pre>
  ) : (
    <span className="err">
      <Icon name="wrong" />
      <span>{message}</span>
    </span>
  )

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
          <span className="carets">
            {' '.repeat(column - 1)}
            {'^'.repeat(carets)}{' '}
          </span>
          {text.wrong(line, column, message)}
          {similar !== undefined && text.similar(similar)}
        </span>
      </div>
    </div>
  )
}
