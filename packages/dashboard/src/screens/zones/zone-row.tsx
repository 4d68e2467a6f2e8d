// A row of the zone list. Normal has no color: only what is not active is marked.
import { memo } from 'react'
import type { ListedZone, WireZone, WireZoneSummary } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age } from '../../parts/time.tsx'
import { ZoneLink } from '../../parts/zone-link.tsx'
import { numberText, strings } from '../../strings.ts'
import { RateLine } from './rate-line.tsx'
import { nameNotes } from './zone-notes.ts'

const { columns, secondaries: peers, monitoring: watch } = strings.zones
const COLUMNS = 11
/** Rows are counted from 1, and the head is the first. */
const FIRST_ROW = 2

export function ZoneHead() {
  return (
    <thead>
      <tr>
        <MarkHead />
        <th>{columns.zone}</th>
        <th className="w120 o1">{columns.serial}</th>
        <th className="w88 num o1">{columns.records}</th>
        <th className="w152 num">{columns.answers}</th>
        <th className="w120">{columns.dnssec}</th>
        <th className="w136">{columns.secondaries}</th>
        <th className="w120">{columns.monitoring}</th>
        <th className="w120 o1">{columns.firewall}</th>
        <th className="w104 o0">{columns.plan}</th>
        <th className="w88 num o1">{columns.changed}</th>
      </tr>
    </thead>
  )
}

interface ZoneRowProps {
  /** Place in the table, from 0; undefined if it is not known. */
  readonly row: number | undefined
  /** Place in the virtual list; absent for those above it. */
  readonly index?: number
  /** Absent while its page is awaited. */
  readonly zone: ListedZone | undefined
  /** Absent while it is awaited, and for zones whose records the reader may not see. */
  readonly summary: WireZoneSummary | undefined
  readonly measure?: (row: HTMLTableRowElement | null) => void
  readonly isPinned?: boolean
  /** The last pinned one: the others follow under a stronger rule. */
  readonly isCut?: boolean
}

export const ZoneRow = memo(function ZoneRow(props: ZoneRowProps) {
  const { row, index, zone, summary, measure, isPinned = false, isCut = false } = props
  const rowIndex = row === undefined ? undefined : row + FIRST_ROW
  if (zone === undefined)
    return (
      <tr data-index={index} aria-rowindex={rowIndex}>
        <td className="m" />
        <td className="k1" colSpan={COLUMNS - 1}>
          <span className="bar" />
        </td>
      </tr>
    )
  return (
    <tr ref={measure} data-index={index} aria-rowindex={rowIndex} className={isCut ? 'cut' : undefined}>
      <td className="m">
        <Mark zone={zone} isPinned={isPinned} />
      </td>
      <td className="k1 mono">
        <ZoneLink name={zone.name} />
        {nameNotes(zone).map(({ text, tone }) => (
          <span key={text} className={`says ${tone}`}>
            {text}
          </span>
        ))}
      </td>
      <td className="o1 mono dim">{summary?.serial}</td>
      <td className="num o1">{summary !== undefined && numberText(summary.records)}</td>
      <td className={summary?.answers === null ? 'num' : 'num k2'}>
        {summary !== undefined && <RateLine answers={summary.answers} />}
      </td>
      <td className="k3">{summary !== undefined && <Signing summary={summary} />}</td>
      <td className={isBehind(summary) ? 'k4' : undefined}>
        {summary !== undefined && <Secondaries summary={summary} />}
      </td>
      <td className={isMalicious(summary) && !isBehind(summary) ? 'k4' : undefined}>
        {summary !== undefined && <Monitoring summary={summary} />}
      </td>
      <td className="o1">
        {summary?.firewall !== undefined && summary.firewall !== null && (
          <span className={summary.firewall === 'none' ? 'dim' : undefined}>
            {strings.zones.firewalls[summary.firewall]}
          </span>
        )}
      </td>
      <td className="o0">{zone.plan.legacy_id}</td>
      <td className="num soft o1">
        <Age at={summary?.changed_on ?? zone.modified_on} />
      </td>
    </tr>
  )
})

const isBehind = (summary: WireZoneSummary | undefined): boolean => (summary?.secondaries?.behind ?? 0) > 0 // none known
const isMalicious = (summary: WireZoneSummary | undefined): boolean =>
  (summary?.monitoring?.malicious ?? 0) > 0 // not known

const SIGNING_TONES: Readonly<Record<WireZoneSummary['dnssec'], Tone>> = {
  active: 'normal',
  pending: 'expected',
  'pending-disabled': 'expected',
  disabled: 'off',
  error: 'wrong',
}

interface SummaryProps {
  readonly summary: WireZoneSummary
}

function Signing({ summary: { dnssec } }: SummaryProps) {
  return <StatusWord tone={SIGNING_TONES[dnssec]}>{strings.zones.signing[dnssec]}</StatusWord>
}

function Secondaries({ summary: { secondaries } }: SummaryProps) {
  if (secondaries === null) return <StatusWord tone="off">{peers.none}</StatusWord>
  const { current, behind, unknown } = secondaries
  const all = current + behind + unknown
  if (behind > 0) return <StatusWord tone="warning">{peers.behind(all - behind, all)}</StatusWord>
  if (unknown === all) return <StatusWord tone="off">{peers.unknown(all)}</StatusWord>
  return <StatusWord tone="normal">{peers.current(all)}</StatusWord>
}

function Monitoring({ summary: { monitoring } }: SummaryProps) {
  if (monitoring === null) return null
  if (monitoring.malicious > 0)
    return <StatusWord tone="wrong">{watch.malicious(monitoring.malicious)}</StatusWord>
  if (!monitoring.enabled) return <StatusWord tone="off">{watch.off}</StatusWord>
  return <StatusWord tone="normal">{watch.clear}</StatusWord>
}

interface MarkProps {
  readonly zone: WireZone
  readonly isPinned: boolean
}

function Mark({ zone: { paused, status }, isPinned }: MarkProps) {
  const mark = markOf({ paused, status, isPinned })
  if (mark === undefined) return null
  return (
    <span className={mark.tone}>
      <Icon name={mark.icon} />
      {isPinned && <span className="vh">{strings.zones.pinned}</span>}
    </span>
  )
}

/** What is wrong comes before the pin: the place above the others says the same. */
function markOf({
  paused,
  status,
  isPinned,
}: Pick<WireZone, 'paused' | 'status'> & Pick<MarkProps, 'isPinned'>) {
  if (paused) return { icon: 'warning', tone: 'warn' } as const
  if (status !== 'active') return { icon: 'expected', tone: 'note' } as const
  return isPinned ? ({ icon: 'pin', tone: 'dim' } as const) : undefined
}
