// The field of an expression: its editor, and below it the line that is wrong.
import { lazy, Suspense } from 'react'
import { Loading } from '../../parts/states.tsx'
import { ruleStrings as text } from '../../strings/rules.ts'
import type { ExpressionProblem } from './expression-problem.ts'

const ExpressionEditor = lazy(async () => {
  const { ExpressionEditor: component } = await import('./expression-editor.tsx')
  return { default: component }
})

interface ExpressionFieldProps {
  readonly label: string
  readonly start: string
  readonly written: string
  readonly problem: ExpressionProblem | undefined
  /** The same function every time; by default that of requests. */
  readonly problemIn?: (expression: string) => ExpressionProblem | undefined
  readonly onEdited: (expression: string) => void
}

export function ExpressionField({
  label,
  start,
  written,
  problem,
  problemIn,
  onEdited,
}: ExpressionFieldProps) {
  const isBlank = written.trim() === ''
  return (
    <div className="f">
      <span className="lab">{label}</span>
      <Suspense fallback={<Loading />}>
        <ExpressionEditor
          label={text.editor}
          start={start}
          onEdited={onEdited}
          {...(problemIn !== undefined && { problemIn })}
        />
      </Suspense>
      <div role="status">
        {isBlank && <span className="hint">{text.noExpression}</span>}
        {!isBlank && problem !== undefined && <Caret problem={problem} />}
      </div>
    </div>
  )
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
