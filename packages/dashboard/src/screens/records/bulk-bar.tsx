// What can be done with the selected records, each as one change set that can be undone.
import { useState } from 'react'
import { batchRecords, type WireRecord } from '../../api/records.ts'
import type { WireZone } from '../../api/zones.ts'
import { strings } from '../../strings.ts'
import { diffLines, type DiffLine } from '../history/diff-lines.ts'
import { DiffList } from '../history/diff-list.tsx'
import { useZoneWrite } from './record-screen-state.ts'
import type { Selected } from './record-table.tsx'

interface BulkBarProps {
  readonly zone: WireZone
  readonly selected: Selected
  readonly onDone: () => void
}

type Plan = { readonly kind: 'delete' } | { readonly kind: 'ttl'; readonly ttl: number }

export function BulkBar({ zone, selected, onDone }: BulkBarProps) {
  const [plan, setPlan] = useState<Plan>()
  const write = useZoneWrite(zone.id)
  const records = [...selected.values()]
  const apply = (): void => {
    if (plan === undefined) return
    const ids = records.map(({ id }) => ({ id }))
    const body =
      plan.kind === 'delete' ? { deletes: ids } : { patches: ids.map(({ id }) => ({ id, ttl: plan.ttl })) }
    const done =
      plan.kind === 'delete'
        ? strings.records.removedMany(records.length)
        : strings.records.changedMany(records.length)
    write.mutate({ run: () => batchRecords(zone.id, body), done }, { onSuccess: onDone })
  }
  return (
    <section className="bulk" aria-label={strings.records.selectedLabel}>
      {plan !== undefined && (
        <DiffList lines={plannedLines(plan, zone.name, records)} label={strings.records.plan} isPlan />
      )}
      <b>{strings.records.selectedCount(records.length)}</b>
      <span className="dim wide">{strings.records.escClears}</span>
      <select
        className="sel auto"
        aria-label={strings.records.setTtl}
        value={plan?.kind === 'ttl' ? String(plan.ttl) : 'none'}
        onChange={({ target }) => setPlan({ kind: 'ttl', ttl: Number(target.value) })}
      >
        <option value="none" disabled>
          {strings.records.setTtl}
        </option>
        {strings.records.ttls.map(([ttl, name]) => (
          <option key={ttl} value={ttl === 'auto' ? '1' : ttl}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" className="btn" onClick={() => setPlan({ kind: 'delete' })}>
        {strings.records.remove}
      </button>
      <span className="end">
        <button type="button" className="btn" onClick={onDone}>
          {strings.cancel}
        </button>
        <button
          type="button"
          className="btn primary"
          disabled={plan === undefined || write.isPending}
          onClick={apply}
        >
          {strings.records.applyMany(records.length)}
        </button>
      </span>
    </section>
  )
}

const plannedLines = (plan: Plan, zone: string, records: readonly WireRecord[]): readonly DiffLine[] =>
  diffLines(
    records.map((record) => ({
      kind: 'dns_record',
      object_id: record.id,
      before: record,
      after: plan.kind === 'ttl' ? { ...record, ttl: plan.ttl } : null,
    })),
    zone,
  )
