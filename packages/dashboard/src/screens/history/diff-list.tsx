// Lines of a diff, as many as a browser draws quickly.
import { numberText, strings } from '../../strings.ts'
import { historyStrings } from '../../strings/history.ts'
import { changedWords, type DiffLine } from './diff-lines.ts'

/** Lines on the page: a change of a whole zone has 100,000, which no browser draws quickly. */
const MAX_LINES = 500

const CLASSES = { '+': 'a', '−': 'd', ' ': 'h' } as const

interface DiffListProps {
  readonly lines: readonly DiffLine[]
  readonly label?: string
  /** Of what is selected, above its buttons. */
  readonly isPlan?: boolean
}

export function DiffList({ lines, label = strings.history.diff, isPlan = false }: DiffListProps) {
  return (
    <>
      <ol className={isPlan ? 'diff records plan' : 'diff records'} tabIndex={0} aria-label={label}>
        {lines.slice(0, MAX_LINES).map((line, index) => (
          <li key={`${index}${line.text}`} className={CLASSES[line.mark]}>
            <span>{line.mark}</span>
            <Words line={line} />
          </li>
        ))}
      </ol>
      {lines.length > MAX_LINES && (
        <p className="pad soft">{historyStrings.moreLines(numberText(lines.length - MAX_LINES))}</p>
      )}
    </>
  )
}

function Words({ line }: { readonly line: DiffLine }) {
  const { text } = line
  const changed = changedWords(line)
  if (changed === undefined) return <span>{text}</span>
  const [start, end] = changed
  return (
    <span>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </span>
  )
}
