// Requests ended by each version over time: stacked bars, with the same numbers as a table for screen readers.
import { Section } from '../../parts/section.tsx'
import { dateTime } from '../../parts/time.tsx'
import { migrationStrings as text } from '../../strings/migration.ts'
import type { TimeBar } from './event-groups.ts'

const HEIGHT = 84
const STEP = 10
const WIDTH = 7
const LABELS = 4
const MIN_BARS = 24
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DAY_MILLIS = 86_400_000

export function HourBars({ bars }: { readonly bars: readonly TimeBar[] }) {
  const highest = Math.max(...bars.map(({ fresh, legacy }) => fresh + legacy), 1)
  const withLegacy = bars.filter(({ legacy }) => legacy > 0)
  // At least a pixel for what happened at all.
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.max(1, (count / highest) * (HEIGHT - 2))
  return (
    <Section title={text.byHour} note={text.byHourNote}>
      <div className="chart hours">
        <div className="legend">
          <span>
            <svg className="sw" aria-hidden="true">
              <rect className="f1" width="8" height="8" />
            </svg>
            {text.newLegend}
          </span>
          <span>
            <svg className="sw" aria-hidden="true">
              <rect className="f4" width="8" height="8" />
            </svg>
            {text.legacyLegend}
          </span>
          <span className="dim wide">{text.barNote(widthText(bars), highest)}</span>
        </div>
        <svg
          viewBox={`0 0 ${Math.max(bars.length, MIN_BARS) * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={text.chart(withLegacy.length, bars.length)}
        >
          {bars.map(({ start, fresh, legacy }, index) => (
            <g key={start}>
              <rect
                className="f1"
                x={index * STEP + 1}
                y={HEIGHT - heightOf(fresh)}
                width={WIDTH}
                height={heightOf(fresh)}
              />
              <rect
                className="f4"
                x={index * STEP + 1}
                y={HEIGHT - heightOf(fresh) - heightOf(legacy) - (fresh > 0 && legacy > 0 ? 1 : 0)}
                width={WIDTH}
                height={heightOf(legacy)}
              />
            </g>
          ))}
        </svg>
        <div className="lab" aria-hidden="true">
          {labelsOf(bars).map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <BarTable bars={bars} />
      </div>
    </Section>
  )
}

function BarTable({ bars }: { readonly bars: readonly TimeBar[] }) {
  return (
    <table className="vh">
      <caption>{text.byHour}</caption>
      <thead>
        <tr>
          <th>{text.columns.last}</th>
          <th>{text.newLegend}</th>
          <th>{text.legacyLegend}</th>
        </tr>
      </thead>
      <tbody>
        {bars
          .filter(({ fresh, legacy }) => fresh + legacy > 0)
          .map(({ start, fresh, legacy }) => (
            <tr key={start}>
              <td>{dateTime(new Date(start).toISOString())}</td>
              <td>{fresh}</td>
              <td>{legacy}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function widthText(bars: readonly TimeBar[]): string {
  const [first, second] = bars
  if (first === undefined || second === undefined) return text.hour
  const hours = (second.start - first.start) / 3_600_000
  return hours === 1 ? text.hour : text.hours(hours)
}

/** Days where they are days, times within one; the last is now. */
function labelsOf(bars: readonly TimeBar[]): string[] {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return []
  // Few bars leave the right of the chart empty.
  if (bars.length < MIN_BARS) return [CLOCK.format(first.start)]
  const format = last.start - first.start > 2 * DAY_MILLIS ? DAY : CLOCK
  const every = (last.start - first.start) / LABELS
  const labels = Array.from({ length: LABELS }, (_, index) => format.format(first.start + index * every))
  return [...new Set([...labels, text.now])]
}
