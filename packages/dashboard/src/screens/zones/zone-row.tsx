// A row of the zone list. Normal has no color: only what is not active is marked.
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { WireZone, WireZoneSummary } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'

const { columns } = strings.zones
/** Keeps the line, which narrow screens have for the serial. */
const UNKNOWN_SERIAL = '\u00a0'

export function ZoneHead() {
  return (
    <thead>
      <tr>
        <MarkHead />
        <th>{columns.zone}</th>
        <th className="w120 o1">{columns.serial}</th>
        <th className="w88 num">{columns.records}</th>
        <th className="w136 o1">{columns.dnssec}</th>
        <th className="w136">{columns.status}</th>
        <th className="w120">{columns.type}</th>
        <th className="w104 o1">{columns.plan}</th>
        <th className="w88 num">{columns.changed}</th>
      </tr>
    </thead>
  )
}

interface ZoneRowProps {
  readonly index: number
  /** Absent while its page is awaited. */
  readonly zone: WireZone | undefined
  /** Absent while it is awaited, and for zones whose records the reader may not see. */
  readonly summary: WireZoneSummary | undefined
  readonly measure: (row: HTMLTableRowElement | null) => void
}

export const ZoneRow = memo(function ZoneRow({ index, zone, summary, measure }: ZoneRowProps) {
  if (zone === undefined)
    return (
      <tr data-index={index} aria-rowindex={index + 2}>
        <td className="m" />
        <td className="k1" colSpan={8}>
          <span className="bar" />
        </td>
      </tr>
    )
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td className="m">
        <Mark zone={zone} />
      </td>
      <td className="k1 mono">
        <Link className="go" to="/zones/$zone" params={{ zone: zone.name }}>
          {zone.name}
        </Link>
      </td>
      <td className="o1 k3 mono soft">{summary?.serial ?? UNKNOWN_SERIAL}</td>
      <td className="num wide">{summary !== undefined && numberText(summary.records)}</td>
      <td className="o1">{summary !== undefined && <Signing summary={summary} />}</td>
      <td className="k2">
        <Status zone={zone} />
      </td>
      <td>{strings.zone.types[zone.type]}</td>
      <td className="o1">{zone.plan.legacy_id}</td>
      <td className="num soft">
        <Age at={summary?.changed_on ?? zone.modified_on} />
      </td>
    </tr>
  )
})

const SIGNING_TONES: Readonly<Record<WireZoneSummary['dnssec'], Tone>> = {
  active: 'normal',
  pending: 'expected',
  'pending-disabled': 'expected',
  disabled: 'off',
  error: 'wrong',
}

function Signing({ summary: { dnssec } }: { readonly summary: WireZoneSummary }) {
  return <StatusWord tone={SIGNING_TONES[dnssec]}>{strings.zones.signing[dnssec]}</StatusWord>
}

function Mark({ zone }: { readonly zone: WireZone }) {
  if (zone.paused)
    return (
      <span className="warn">
        <Icon name="warning" />
      </span>
    )
  return zone.status === 'active' ? null : (
    <span className="note">
      <Icon name="expected" />
    </span>
  )
}

function Status({ zone }: { readonly zone: WireZone }) {
  if (zone.paused)
    return (
      <span className="st warn">
        <Icon name="warning" />
        {strings.zones.paused}
      </span>
    )
  const isActive = zone.status === 'active'
  return (
    <span className={isActive ? 'st' : 'st note'}>
      <Icon name={isActive ? 'ring' : 'expected'} />
      {strings.zones.statuses[zone.status]}
    </span>
  )
}
