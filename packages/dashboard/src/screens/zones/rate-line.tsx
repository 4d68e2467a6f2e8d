// Answers per second of a zone: a line over the last day, and the figure of now.
import type { WireZoneSummary } from '../../api/zones.ts'
import { linePath } from '../../parts/line-path.ts'
import { rateText, strings } from '../../strings.ts'

const SIZE = { width: 88, height: 14 }
/** Averages in a whole day. */
const SLOTS = 12

/** Of zones without a query nothing is known. */
export function RateLine({ answers }: Pick<WireZoneSummary, 'answers'>) {
  if (answers === null) return <span className="dim">–</span>
  const { per_second: now, day } = answers
  const highest = Math.max(...day, 0)
  const width = (SIZE.width * (day.length - 1)) / (SLOTS - 1)
  return (
    <span className="sp">
      <svg className="spark" viewBox={`0 0 ${SIZE.width} ${SIZE.height + 4}`} aria-hidden="true">
        {highest > 0 && day.length > 1 && (
          <path
            transform={`translate(${SIZE.width - width} 2)`}
            d={linePath(day, highest, { ...SIZE, width })}
          />
        )}
      </svg>
      <span>
        {rateText(now)}
        <span className="unit">{strings.zones.perSecond}</span>
      </span>
    </span>
  )
}
