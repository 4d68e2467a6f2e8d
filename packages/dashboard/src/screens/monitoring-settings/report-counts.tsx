// How many reports arrived, what became of them, and why some were dropped.
import { useQuery } from '@tanstack/react-query'
import { reportCountsOf } from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { numberText } from '../../strings.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'

export function ReportCounts({ zone }: { readonly zone: WireZone }) {
  const { data: counts, error } = useQuery(reportCountsOf(zone.id))
  return (
    <Section title={text.counts} note={text.countsNote}>
      <div className="stack">
        <Problem error={error} />
        {counts !== undefined && (
          <>
            <dl className="kv">
              {(['recorded', 'violations', 'hashes', 'evicted'] as const).map((member) => (
                <Count key={member} name={text[member]} value={counts[member]} />
              ))}
              <Count
                name={text.dropped}
                value={Object.values(counts.dropped).reduce((sum, value) => sum + value, 0)}
              />
            </dl>
            <Drops dropped={counts.dropped} />
          </>
        )}
      </div>
    </Section>
  )
}

const Count = ({ name, value }: { readonly name: string; readonly value: number }) => (
  <>
    <dt>{name}</dt>
    <dd className="mono">{numberText(value)}</dd>
  </>
)

function Drops({ dropped }: { readonly dropped: Readonly<Record<string, number>> }) {
  const reasons = Object.entries(dropped)
    .filter(([, total]) => total > 0)
    .toSorted(([, a], [, b]) => b - a)
  if (reasons.length === 0) return <p className="soft">{text.noneDropped}</p>
  return (
    <table className="plain drops">
      <thead>
        <tr>
          <th>{text.reason}</th>
          <th className="w176 opt2">{text.code}</th>
          <th className="w104 num">{text.total}</th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(([code, total]) => (
          <tr key={code}>
            <td>{text.dropText(code)}</td>
            <td className="mono soft opt2">{code}</td>
            <td className="num mono">{numberText(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
