// The list of zones: filtered and sorted by the server, as long as it is.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import {
  firstZonesPage,
  summariesOf,
  zonesPage,
  ZONES_PER_PAGE,
  type WireZone,
  type ZoneFilter,
} from '../../api/zones.ts'
import { useDelayed } from '../../parts/delayed.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { pagesInSight } from '../../parts/pages-in-sight.ts'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { useVirtualRows } from '../../parts/virtual-rows.ts'
import { strings } from '../../strings.ts'
import { NewZone } from './new-zone.tsx'
import { readZoneFilter, ZONE_ORDERS, ZONE_STATUSES } from './zone-filter.ts'
import { ZoneRow, ZoneHead } from './zone-row.tsx'

const ROW_HEIGHTS = { wide: 33, narrow: 63 }
const TYPING_MILLIS = 120

export function ZonesScreen() {
  const search = useSearch({ from: '/frame/zones' })
  const navigate = useNavigate({ from: '/zones' })
  const filter = useMemo(() => readZoneFilter(search), [search])
  const first = useQuery(firstZonesPage(filter))
  const open = (add: string | undefined) => void navigate({ search: (last) => ({ ...last, add }) })
  useShortcuts({ n: () => open('zone') })
  const total = first.data?.info?.total_count
  return (
    <>
      <title>{`${strings.zones.title} · ${strings.product}`}</title>
      <PageHead title={strings.zones.title}>
        <button type="button" className="btn primary" onClick={() => open('zone')}>
          {strings.zones.add} <kbd>n</kbd>
        </button>
      </PageHead>
      {search.add !== undefined && <NewZone onClose={() => open(undefined)} />}
      <FilterBar total={total} />
      {first.error !== null && first.data === undefined && (
        <Failure error={first.error} onRetry={() => void first.refetch()} />
      )}
      {first.isPending && <Loading />}
      {total === 0 && <NoZones filter={filter} q={search.q} onAdd={() => open('zone')} />}
      {total !== undefined && total > 0 && (
        <ZoneTable filter={filter} total={total} isOld={first.isPlaceholderData} />
      )}
    </>
  )
}

interface NoZonesProps {
  readonly filter: ZoneFilter
  readonly q: string | undefined
  readonly onAdd: () => void
}

function NoZones({ filter, q, onAdd }: NoZonesProps) {
  const navigate = useNavigate({ from: '/zones' })
  if (filter.name === undefined && filter.status === undefined)
    return (
      <Empty
        headline={strings.zones.none}
        detail={strings.zones.noneDetail}
        command={strings.zones.noneCommand}
      >
        <button type="button" className="btn primary" onClick={onAdd}>
          {strings.zones.add} <kbd>n</kbd>
        </button>
      </Empty>
    )
  const [before, after] = strings.zones.noMatch
  return (
    <p className="pad soft">
      {q === undefined ? (
        strings.zones.noMatchStatus
      ) : (
        <>
          {before} <code>{q}</code> {after}
        </>
      )}{' '}
      <button type="button" className="link" onClick={() => void navigate({ search: {} })}>
        {strings.zones.clear}
      </button>
    </p>
  )
}

function FilterBar({ total }: { readonly total: number | undefined }) {
  const search = useSearch({ from: '/frame/zones' })
  const navigate = useNavigate({ from: '/zones' })
  const [typed, setTyped] = useState(search.q)
  const settled = useDelayed(typed, TYPING_MILLIS)
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  useEffect(() => {
    void navigate({ search: (last) => ({ ...last, q: settled }), replace: true, resetScroll: false })
  }, [settled, navigate])
  return (
    <div className="filter">
      <label className="query">
        <Icon name="search" />
        <span className="vh">{strings.zones.filter}</span>
        <input
          ref={input}
          type="search"
          placeholder={strings.zones.filter}
          value={typed ?? ''} // nothing typed yet
          onChange={(event) => setTyped(event.target.value === '' ? undefined : event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(undefined)
          }}
        />
        <kbd>/</kbd>
      </label>
      {total !== undefined && <span className="hits wide">{strings.zones.count(total)}</span>}
      <select
        className="sel auto"
        aria-label={strings.zones.statusLabel}
        value={search.status ?? 'any'}
        onChange={({ target }) =>
          void navigate({
            search: (last) => ({ ...last, status: target.value === 'any' ? undefined : target.value }),
          })
        }
      >
        <option value="any">{strings.zones.anyStatus}</option>
        {ZONE_STATUSES.map((status) => (
          <option key={status} value={status}>
            {strings.zones.statuses[status]}
          </option>
        ))}
      </select>
      <select
        className="sel auto"
        aria-label={strings.zones.orderLabel}
        value={search.sort ?? 'name'}
        onChange={({ target }) =>
          void navigate({
            search: (last) => ({ ...last, sort: target.value === 'name' ? undefined : target.value }),
          })
        }
      >
        {ZONE_ORDERS.map((order) => (
          <option key={order} value={order}>
            {strings.zones.orders[order]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface ZoneTableProps {
  readonly filter: ZoneFilter
  readonly total: number
  /** Whether another filter's answer is still awaited. */
  readonly isOld: boolean
}

function ZoneTable({ filter, total, isOld }: ZoneTableProps) {
  const rows = useVirtualRows(total, ROW_HEIGHTS, JSON.stringify(filter))
  const pages = pagesInSight(rows.indexes, ZONES_PER_PAGE)
  const first = useQuery(firstZonesPage(filter))
  const others = useQueries({
    queries: pages.filter((page) => page > 1).map((page) => zonesPage(filter, page)),
  })
  const byPage = new Map(others.map(({ data }) => [data?.info?.page, data?.result]))
  byPage.set(1, first.data?.result)
  const summaries = useQueries({
    queries: pages.map((page) => summariesOf(idsOf(byPage.get(page)))),
  })
  const summaryOf = (id: string) =>
    summaries.map(({ data }) => data?.get(id)).find((summary) => summary !== undefined)
  const zoneAt = (index: number) =>
    byPage.get(Math.floor(index / ZONES_PER_PAGE) + 1)?.[index % ZONES_PER_PAGE]
  return (
    <table className={isOld ? 'reg old' : 'reg'} aria-rowcount={total + 1}>
      <ZoneHead />
      <tbody ref={rows.body}>
        <tr aria-hidden="true" className="spacer" style={{ height: rows.before }} />
        {rows.indexes.map((index) => (
          <ZoneRow
            key={index}
            index={index}
            measure={rows.measure}
            zone={zoneAt(index)}
            summary={summaryOf(zoneAt(index)?.id ?? 'none')} // its page is awaited
          />
        ))}
        <tr aria-hidden="true" className="spacer" style={{ height: rows.after }} />
      </tbody>
    </table>
  )
}

/** A page that is awaited has none. */
const idsOf = (zones: readonly WireZone[] | undefined): string[] =>
  zones === undefined ? [] : zones.map(({ id }) => id)
