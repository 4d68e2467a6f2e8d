// Connections, documents in frames, hosts of images and targets of forms.
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import {
  connectionsPage,
  csvPath,
  loadsPage,
  type LoadKind,
  type WireConnection,
  type WireLoad,
} from '../../api/monitoring.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { parseTerms } from '../../parts/terms.ts'
import { Age } from '../../parts/time.tsx'
import { alsoReportCommand, monitoringStrings as text, observeCommand } from '../../strings/monitoring.ts'
import { isMalicious, ItemStatus, MaliciousMark, Pages } from './inventory-cells.tsx'
import { connectionQuery, ORDERS, RESOURCE_GRAMMAR, type InventorySearch } from './inventory-filter.ts'
import { InventoryScreen, type Measure } from './inventory-screen.tsx'
import { InventoryTabs } from './inventory-tabs.tsx'

const HEIGHTS = { wide: 32, narrow: 85 }
const EXAMPLE = 'https://api.example.net'

const useFilter = () => {
  const search: InventorySearch = useSearch({ strict: false })
  return useMemo(() => connectionQuery(parseTerms(search.q ?? '', RESOURCE_GRAMMAR), search), [search]) // no filter, no terms
}

export function ConnectionsScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const filter = useFilter()
  return (
    <InventoryScreen<WireConnection>
      zone={zone}
      words={text.lists.connections}
      grammar={RESOURCE_GRAMMAR}
      hint={text.resourceHint}
      hasStatus
      orders={ORDERS}
      page={(page) => connectionsPage(zone.id, filter, page)}
      heights={HEIGHTS}
      head={<Head name={text.columns.connection} />}
      columnCount={6}
      row={(item, index, measure) => (
        <LoadRow key={index} item={item} index={index} measure={measure}>
          <Link
            className="mono go"
            to="/zones/$zone/connections/$connection"
            params={{ zone: zone.name, connection: item.id }}
          >
            {item.url}
          </Link>
        </LoadRow>
      )}
      command={observeCommand(location.origin, zone.id, zone.name, { connections: [EXAMPLE] })}
      tabs={<InventoryTabs zone={zone.name} of="loads" />}
      acts={
        <a className="btn" href={csvPath(zone.id, 'connections', filter)} download>
          {text.csv}
        </a>
      }
    />
  )
}

const ALSO_REPORTED = { frame: ['about_frames', 'frames'], image: ['images'], form: ['forms'] } as const

export const FramesScreen = () => <LoadsScreen kind="frame" />
export const ImagesScreen = () => <LoadsScreen kind="image" />
export const FormsScreen = () => <LoadsScreen kind="form" />

function LoadsScreen({ kind }: { readonly kind: LoadKind }) {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const filter = useFilter()
  return (
    <InventoryScreen<WireLoad>
      // Another list has another filter.
      key={kind}
      zone={zone}
      words={text.lists[kind]}
      grammar={RESOURCE_GRAMMAR}
      hint={text.resourceHint}
      hasStatus
      orders={ORDERS}
      page={(page) => loadsPage(zone.id, kind, filter, page)}
      heights={HEIGHTS}
      head={<Head name={text.columns[kind]} />}
      columnCount={6}
      row={(item, index, measure) => (
        <LoadRow key={index} item={item} index={index} measure={measure}>
          <span className="mono go">{item.url}</span>
        </LoadRow>
      )}
      command={alsoReportCommand(location.origin, zone.id, ALSO_REPORTED[kind])}
      tabs={<InventoryTabs zone={zone.name} of="loads" />}
    />
  )
}

const Head = ({ name }: { readonly name: string }) => (
  <thead>
    <tr>
      <MarkHead />
      <th>{name}</th>
      <th className="w264">{text.columns.pages}</th>
      <th className="w104 num o1">{text.columns.firstSeen}</th>
      <th className="w104 num">{text.columns.lastSeen}</th>
      <th className="w152">{text.columns.status}</th>
    </tr>
  </thead>
)

interface LoadRowProps {
  readonly item: WireConnection
  readonly index: number
  readonly measure: Measure
  readonly children: ReactNode
}

function LoadRow({ item, index, measure, children }: LoadRowProps) {
  const isBad = isMalicious(item)
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td className="m">
        <MaliciousMark isShown={isBad} />
      </td>
      <td className="k1" title={item.url}>
        {children}
      </td>
      <td className="k4 soft">
        <Pages item={item} />
      </td>
      <td className="num soft o1">
        <Age at={item.first_seen_at} />
      </td>
      <td className="k2 num soft">
        <Age at={item.last_seen_at} />
      </td>
      <td className="k3">
        <ItemStatus status={item.status} isBad={isBad} />
      </td>
    </tr>
  )
}
