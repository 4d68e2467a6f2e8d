// Lines of a diff, as many as a browser draws quickly.
import { numberText, strings } from '../../strings.ts'
import { historyStrings } from '../../strings/history.ts'
import type { DiffLine } from './diff-lines.ts'

/** Lines on the page: a change of a whole zone has 100,000, which no browser draws quickly. */
const MAX_LINES = 500

const CLASSES = { '+': 'a', '−': 'd', ' ': 'h' } as const

export function DiffList({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <>
      <ol className="diff" tabIndex={0} aria-label={strings.history.diff}>
        {lines.slice(0, MAX_LINES).map(({ mark, text }, index) => (
          <li key={`${index}${text}`} className={CLASSES[mark]}>
            <span>{mark}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      {lines.length > MAX_LINES && (
        <p className="pad soft">{historyStrings.moreLines(numberText(lines.length - MAX_LINES))}</p>
      )}
    </>
  )
}
