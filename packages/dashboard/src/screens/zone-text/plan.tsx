// What applying the text would do: counts of the server, and the lines that differ.
import type { DiffLine } from '../history/diff-lines.ts'
import { Section } from '../../parts/section.tsx'
import { zoneTextStrings as text } from '../../strings/zone-text.ts'

export interface PlannedText {
  readonly text: string
  readonly counts: Parameters<typeof text.planOf>[0]
  readonly lines: readonly DiffLine[]
}

/** More lines would only make the page slow. */
const SHOWN_LINES = 1_000

interface PlanProps {
  readonly plan: PlannedText
  readonly isBusy: boolean
  readonly onApply: () => void
  readonly onBack: () => void
}

export function Plan({ plan: { counts, lines, text: edited }, isBusy, onApply, onBack }: PlanProps) {
  const isNothing = counts.added + counts.changed + counts.removed === 0
  const hidden = lines.length - SHOWN_LINES
  return (
    <Section title={text.plan}>
      <div className="stack">
        <p role="status">{isNothing ? text.nothing : text.planOf(counts)}</p>
        {lines.length > 0 && (
          <ol className="diff plan-lines" tabIndex={0} aria-label={text.diff}>
            {lines.slice(0, SHOWN_LINES).map(({ mark, text: line }, index) => (
              <li key={`${index}${line}`} className={mark === '+' ? 'a' : 'd'}>
                <span>{mark}</span>
                <span>{line}</span>
              </li>
            ))}
            {hidden > 0 && (
              <li className="h">
                <span />
                <span>{text.more(hidden)}</span>
              </li>
            )}
          </ol>
        )}
        <div className="row">
          <button
            type="button"
            className="btn primary"
            autoFocus
            disabled={isNothing || isBusy}
            onClick={onApply}
          >
            {text.apply}
          </button>
          <button type="button" className="btn" disabled={isBusy} onClick={onBack}>
            {text.back}
          </button>
          {isBusy && (
            <span role="status" className="row nowrap">
              <progress aria-label={text.apply} /> {text.applying(edited.split('\n').length)}
            </span>
          )}
        </div>
      </div>
    </Section>
  )
}
