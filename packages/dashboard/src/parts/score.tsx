// A score: its number, and a rule from 1 to 99 with a stop at 10 and a tick.
import { monitoringStrings as text } from '../strings/monitoring.ts'

const MALICIOUS_BELOW = 10

interface ScoreProps {
  /** null or absent: there is none. */
  readonly value: number | null | undefined
  readonly isBig?: boolean
  /** Why there is none. */
  readonly absence?: string
}

export function Score({ value, isBig = false, absence = text.notFetched }: ScoreProps) {
  if (value === null || value === undefined)
    return (
      <span className={isBig ? 'score none big' : 'score none'}>
        <b>–</b>
        <span className={isBig ? undefined : 'small'}>{absence}</span>
      </span>
    )
  const size = isBig ? 20 : 14
  const base = size - 3.5
  return (
    <span className={`score${isBig ? ' big' : ''}${value < MALICIOUS_BELOW ? ' low' : ''}`}>
      <b>{value}</b>
      <svg viewBox={`0 0 99 ${size}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="base" d={`M0 ${base}h99`} />
        <path className="stop" d={`M10 ${size / 2}v${size / 2}`} />
        <path className="tick" d={`M${value} 3v${size - 7}`} />
      </svg>
    </span>
  )
}
