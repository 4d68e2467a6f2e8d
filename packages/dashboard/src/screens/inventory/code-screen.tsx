// Code without a URL: inline scripts, event handlers, evaluated strings.
import { useLoaderData, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { codePage, type WireCode } from '../../api/monitoring.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { parseTerms } from '../../parts/terms.ts'
import { Age } from '../../parts/time.tsx'
import { alsoReportCommand, monitoringStrings as text } from '../../strings/monitoring.ts'
import { ItemStatus, Pages } from './inventory-cells.tsx'
import { CODE_GRAMMAR, codeQuery } from './inventory-filter.ts'
import { InventoryScreen } from './inventory-screen.tsx'
import { InventoryTabs } from './inventory-tabs.tsx'

const HEIGHTS = { wide: 48, narrow: 85 }

export function CodeScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { q } = useSearch({ from: '/frame/zones/$zone/code' })
  const filter = useMemo(() => codeQuery(parseTerms(q ?? '', CODE_GRAMMAR)), [q]) // no filter, no terms
  return (
    <InventoryScreen<WireCode>
      zone={zone}
      words={text.lists.code}
      grammar={CODE_GRAMMAR}
      hint={text.codeHint}
      hasStatus={false}
      orders={[]}
      page={(page) => codePage(zone.id, filter, page)}
      heights={HEIGHTS}
      head={<Head />}
      columnCount={6}
      row={(code, index, measure) => (
        <tr key={index} ref={measure} className="two" data-index={index} aria-rowindex={index + 2}>
          <td className="m" />
          <td className="k1" title={code.sample}>
            {code.sample === '' ? (
              <span className="dim">{text.noSample}</span>
            ) : (
              <span className="mono go">{code.sample}</span>
            )}
            <br />
            <span className="mono soft">{placeOf(code)}</span>
          </td>
          <td className="k3">{text.codeKinds[code.kind]}</td>
          <td className="k4 soft">
            <Pages item={code} />
          </td>
          <td className="k2 num soft">
            <Age at={code.last_seen_at} />
          </td>
          <td>
            <ItemStatus status={code.status} />
          </td>
        </tr>
      )}
      command={alsoReportCommand(location.origin, zone.id, ['inline', 'eval'])}
      tabs={<InventoryTabs zone={zone.name} of="code" />}
    />
  )
}

/** Where browsers found it. */
function placeOf({ source_url: source, line, host }: WireCode): string {
  if (source === null) return host
  return line === null ? source : `${source}:${line}`
}

const Head = () => (
  <thead>
    <tr>
      <MarkHead />
      <th>{text.columns.code}</th>
      <th className="w176">{text.columns.kind}</th>
      <th className="w232">{text.columns.pages}</th>
      <th className="w104 num">{text.columns.lastSeen}</th>
      <th className="w136">{text.columns.status}</th>
    </tr>
  </thead>
)
