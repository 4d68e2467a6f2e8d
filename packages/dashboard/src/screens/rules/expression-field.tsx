// The field of an expression: its editor, and below it the line that is wrong.
import { lazy, Suspense } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/states.tsx'
import { ruleStrings as text } from '../../strings/rules.ts'
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
  return (
    <div className="f">
      <span className="lab">{label}</span>
      <Suspense fallback={<Loading />}>
        <ExpressionEditor
          label={editor}
          start={start}
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
    </div>
  )
}

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
