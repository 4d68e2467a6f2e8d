// After the migration: who did it and when, the snapshot, and what no longer works.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WireChangeSummary } from '@zonereeve/contract'
import { migrationChanges, snapshotOf, snapshotPath } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { Section } from '../../parts/section.tsx'
import { Failure } from '../../parts/states.tsx'
import { DateTime } from '../../parts/time.tsx'
import { migrationStrings as text } from '../../strings/migration.ts'

export function FinishedRecord({ zone }: { readonly zone: WireZone }) {
  const { data: changes } = useQuery(migrationChanges(zone.id))
  const snapshot = useQuery(snapshotOf(zone.id))
  const [before, after] = text.goneDetail
  return (
    <>
      <Section title={text.record} kind="flush" mark="ring">
        <table className="plain stacked">
          <tbody>
            {changes?.toReversed().map((change, index, all) => (
              <RecordRow
                key={change.number}
                zone={zone}
                change={change}
                label={index === all.length - 1 ? text.finishedOn : text.startedOn}
              />
            ))}
          </tbody>
        </table>
      </Section>
      {snapshot.error !== null && <Failure error={snapshot.error} onRetry={() => void snapshot.refetch()} />}
      {snapshot.data !== undefined && (
        <Section title={text.snapshot} note={text.snapshotNote}>
          <div className="stack">
            <p>
              <DateTime at={snapshot.data.taken_on} />:{' '}
              {text.snapshotFacts(
                snapshot.data.packages.length,
                snapshot.data.firewall_rules.length,
                snapshot.data.page_rules.length,
              )}
            </p>
            <div className="row">
              <a className="btn" href={snapshotPath(zone.id)} download={`${zone.name}-legacy-waf.json`}>
                {text.snapshotDownload}
              </a>
            </div>
          </div>
        </Section>
      )}
      <Section title={text.goneHead} note={text.goneNote}>
        <p className="prose">
          {before}
          <code>410</code>
          {after}
        </p>
      </Section>
    </>
  )
}

interface RecordRowProps {
  readonly zone: WireZone
  readonly change: WireChangeSummary
  readonly label: string
}

function RecordRow({ zone, change, label }: RecordRowProps) {
  return (
    <tr>
      <td className="w232">
        <DateTime at={change.at} />
      </td>
      <td>
        <b>{label}</b> <span className="soft">{text.by(change.actor.name)}</span>
      </td>
      <td className="w152 num">
        <Link
          className="link"
          to="/zones/$zone/history"
          params={{ zone: zone.name }}
          search={{ change: String(change.number) }}
        >
          {text.changeSet} {change.number}
        </Link>
      </td>
    </tr>
  )
}
