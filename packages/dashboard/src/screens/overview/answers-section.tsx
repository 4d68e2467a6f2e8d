// Answers per second of the zone over the last day, as lines, with the current values above them.
import { useQuery } from '@tanstack/react-query'
import { answersOfZone } from '../../api/zone-answers.ts'
import type { WireZone } from '../../api/zones.ts'
import { linePath } from '../../parts/line-path.ts'
import { Section } from '../../parts/section.tsx'
import { zoneAnswerStrings as text } from '../../strings/zone-answers.ts'
import { binRates, recentRates, scaleTop, type RateBin, type Rates } from './answer-rates.ts'

const SIZE = { width: 960, height: 126 }
/** Pixels above the highest line. */
const ABOVE = 4.5
const GRID = [0, 1 / 3, 2 / 3, 1] as const
const LABELS = 5

const SERIES = [
  { name: 'noSuchName', line: 'p2', sample: 's2' },
  { name: 'failed', line: 'p4', sample: 's4' },
  { name: 'answered', line: 'p1', sample: 's1' },
] as const satisfies readonly { name: keyof Rates; line: string; sample: string }[]
const LEGEND = ['answered', 'noSuchName', 'failed'] as const

export function AnswersSection({ zone }: { readonly zone: WireZone }) {
  const { data: answers } = useQuery(answersOfZone(zone.id))
  if (answers === undefined) return null
  const bins = binRates(answers, Date.now())
  const recent = recentRates(answers)
  return (
    <Section title={text.title} note={text.note}>
      {bins.length === 0 ? (
        <p className="soft">{text.none}</p>
      ) : (
        <div className="chart y">
          <div className="legend">
            {LEGEND.map((name) => (
              <span key={name}>
                <svg className="line" aria-hidden="true">
                  <path className={SERIES.find((one) => one.name === name)?.sample} d="M0 4h20" />
                </svg>
                {text.legend[name]} <b className="mono">{text.perSecond(recent[name])}</b>
              </span>
            ))}
          </div>
          <Lines bins={bins} />
        </div>
      )}
    </Section>
  )
}

function Lines({ bins }: { readonly bins: readonly RateBin[] }) {
  const top = scaleTop(
    Math.max(...bins.flatMap(({ answered, noSuchName, failed }) => [answered, noSuchName, failed])),
  )
  const grid = GRID.map((share) => `M0 ${(ABOVE + share * SIZE.height).toFixed(1)}h${SIZE.width}`).join('')
  const every = Math.ceil(bins.length / LABELS)
  const labels = bins.filter((_, index) => index === 0 || (index % every === 0 && index < bins.length - 1))
  return (
    <>
      <svg
        className="plot"
        viewBox={`0 0 ${SIZE.width} ${SIZE.height + 2 * ABOVE}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.chart(text.perSecond(top))}
      >
        <path className="ax" d={grid} />
        <g transform={`translate(0 ${ABOVE})`}>
          {SERIES.map(({ name, line }) => (
            <path
              key={name}
              className={line}
              d={linePath(
                bins.map((bin) => bin[name]),
                top,
                SIZE,
              )}
            />
          ))}
        </g>
      </svg>
      <div className="yl" aria-hidden="true">
        {GRID.map((share) => (
          <span key={share}>{text.perSecond(top * (1 - share)).replace('/s', '')}</span>
        ))}
      </div>
      <div className="lab" aria-hidden="true">
        {labels.map(({ start }) => (
          <span key={start}>{start.slice(11, 16)}</span>
        ))}
        <span>{text.now}</span>
      </div>
      <RateTable bins={bins} />
    </>
  )
}

/** The same for screen readers. */
function RateTable({ bins }: { readonly bins: readonly RateBin[] }) {
  return (
    <table className="vh">
      <thead>
        <tr>
          <th>{text.columns.time}</th>
          {LEGEND.map((name) => (
            <th key={name}>{text.legend[name]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.start}>
            <th>{bin.start.slice(0, 16).replace('T', ' ')}</th>
            {LEGEND.map((name) => (
              <td key={name}>{text.perSecond(bin[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
