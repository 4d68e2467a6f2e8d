// Events over time as stacked bars. A click on a bar, or a drag over some, narrows the time.
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { utcClock, utcDay, utcTime } from './utc-time.ts'
import { numberText } from '../../strings.ts'
import { activityStrings as text } from '../../strings/activity.ts'
import { GROUPS, type EventGroup } from '../../parts/action-groups.ts'
import { type GroupedBar } from './event-groups.ts'

const HEIGHT = 104
/** Shorter drags are clicks. */
const MIN_DRAG = 4

interface EventChartProps {
  readonly bars: readonly GroupedBar[]
  readonly barMillis: number
  readonly onRange: (sinceMillis: number, untilMillis: number) => void
}

export function EventChart({ bars, barMillis, onRange }: EventChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const range = useRef(onRange)
  useEffect(() => {
    range.current = onRange
  })
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    const chart = draw(current, bars, barMillis, (since, until) => range.current(since, until))
    const resize = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT }))
    resize.observe(current)
    const theme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = (): void => chart.redraw(false)
    theme.addEventListener('change', redraw)
    return () => {
      theme.removeEventListener('change', redraw)
      resize.disconnect()
      chart.destroy()
    }
  }, [bars, barMillis])
  return (
    <>
      <BarChoice bars={bars} barMillis={barMillis} onRange={onRange}>
        <div ref={place} className="plot" aria-hidden="true" />
      </BarChoice>
      <BarTable bars={bars} />
    </>
  )
}

interface BarChoiceProps extends EventChartProps {
  readonly children: React.ReactNode
}

/** The same by keyboard: arrows choose a bar, Enter narrows the time to it. */
function BarChoice({ bars, barMillis, onRange, children }: BarChoiceProps) {
  const [chosen, setChosen] = useState(bars.length - 1)
  const index = Math.min(chosen, bars.length - 1)
  const bar = bars[index]
  if (bar === undefined) return children
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, index, bars.length)
    if (event.key === 'Enter') onRange(bar.startMillis, bar.startMillis + barMillis)
    else if (next !== undefined) setChosen(next)
    else return
    event.preventDefault()
  }
  return (
    <div
      className="bars"
      role="slider"
      tabIndex={0}
      aria-label={text.chartKeys}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={index + 1}
      aria-valuetext={barText(bar)}
      onKeyDown={onKeyDown}
    >
      {children}
      <span className="chosen small mono" aria-hidden="true">
        {barText(bar)}
      </span>
    </div>
  )
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, index - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(count - 1, index + 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

const startText = ({ startMillis }: GroupedBar): string => utcTime(startMillis)

function barText(bar: GroupedBar): string {
  const counts = GROUPS.filter((group) => bar.counts[group] > 0)
  return text.bar(
    startText(bar),
    counts.map((group) => `${numberText(bar.counts[group])} ${text.groups[group]}`).join(', '),
  )
}

function BarTable({ bars }: { readonly bars: readonly GroupedBar[] }) {
  return (
    <table className="vh">
      <caption>{text.chart}</caption>
      <thead>
        <tr>
          <th>{text.barStart}</th>
          {GROUPS.map((group) => (
            <th key={group}>{text.groups[group]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars
          .filter(({ total }) => total > 0)
          .map((bar) => (
            <tr key={bar.startMillis}>
              <td>{startText(bar)}</td>
              {GROUPS.map((group) => (
                <td key={group}>{bar.counts[group]}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  )
}

const COLORS: Readonly<Record<EventGroup, string>> = {
  blocked: '--d4',
  challenged: '--d2',
  logged: '--d3',
  other: '--d5',
}

/** A canvas knows no custom properties, and none of light-dark(): the page says what they are now. */
function colorOf(place: HTMLElement, property: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function draw(
  place: HTMLElement,
  bars: readonly GroupedBar[],
  barMillis: number,
  onRange: (sinceMillis: number, untilMillis: number) => void,
): uPlot {
  const half = barMillis / 2_000
  const [first] = bars
  const startSeconds = first === undefined ? 0 : first.startMillis / 1_000
  const endSeconds = startSeconds + (bars.length * barMillis) / 1_000
  const middles = bars.map(({ startMillis }) => startMillis / 1_000 + half)
  // The highest first: each next one is drawn over it.
  const stacked = GROUPS.map((_, index) => {
    const below = GROUPS.slice(0, index + 1)
    return bars.map(({ counts }) => below.reduce((sum, group) => sum + counts[group], 0))
  }).toReversed()
  const chart = new uPlot(
    {
      // As the times of the list.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      width: place.clientWidth,
      height: HEIGHT,
      padding: [4, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: { range: () => [startSeconds, endSeconds] },
        y: { range: (_, _min, max) => [0, Math.max(1, max)] },
      },
      axes: [
        {
          stroke: () => colorOf(place, '--ink-3'),
          grid: { show: false },
          ticks: { show: false },
          space: 88,
          values: (_, splits) => labelsOf(splits, startSeconds, endSeconds, place.clientWidth),
          size: 22,
          gap: 4,
          font: `12px ${getComputedStyle(place).getPropertyValue('--mono')}`,
        },
        { show: false },
      ],
      series: [
        {},
        ...GROUPS.toReversed().map((group) => ({
          fill: () => colorOf(place, COLORS[group]),
          stroke: () => colorOf(place, '--sheet'),
          width: 1,
          points: { show: false },
          paths: uPlot.paths.bars?.({ size: [0.86, 40], align: 0 }),
        })),
      ],
    } as uPlot.Options, // its type has no undefined members
    [middles, ...stacked],
    place,
  )
  onChosenRange(chart, bars, barMillis, onRange)
  return chart
}

/** Half of a label: nearer to an edge, it would be cut off. */
const LABEL_REACH = 22

/** Times of the day; the day where one begins. */
const labelsOf = (splits: readonly number[], start: number, end: number, width: number): string[] =>
  splits.map((seconds) => {
    const left = ((seconds - start) / (end - start)) * width
    if (left < LABEL_REACH || left > width - LABEL_REACH) return ''
    return seconds % DAY_SECONDS === 0 ? utcDay(seconds * 1_000) : utcClock(seconds * 1_000)
  })

const DAY_SECONDS = 86_400

function onChosenRange(
  chart: uPlot,
  bars: readonly GroupedBar[],
  barMillis: number,
  onRange: (sinceMillis: number, untilMillis: number) => void,
): void {
  const indexAt = (left: number): number =>
    Math.max(0, Math.min(bars.length - 1, Math.floor((left / chart.over.clientWidth) * bars.length)))
  const choose = (from: number, to: number): void => {
    const [first, last] = [bars[indexAt(from)], bars[indexAt(to)]]
    if (first !== undefined && last !== undefined) onRange(first.startMillis, last.startMillis + barMillis)
  }
  chart.hooks.setSelect = [
    ({ select: { left, width } }) => {
      if (width >= MIN_DRAG) choose(left, left + width - 1)
    },
  ]
  chart.over.addEventListener('click', ({ offsetX }) => {
    if (chart.select.width < MIN_DRAG) choose(offsetX, offsetX)
  })
}
