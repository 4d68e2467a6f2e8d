// The zones as a table: the pinned ones first, then all others, of which only those in sight are on the page.
import { useQueries, useQuery } from '@tanstack/react-query'
import { usePinnedZones } from '../../app/pinned-zones.ts'
import {
  firstZonesPage,
  summariesOf,
  zoneNamed,
  zonesPage,
  ZONES_PER_PAGE,
  type WireZone,
  type ZoneFilter,
} from '../../api/zones.ts'
import { pagesInSight } from '../../parts/pages-in-sight.ts'
import { useVirtualRows } from '../../parts/virtual-rows.ts'
import { rowBelowPinned } from './pinned-rows.ts'
import { arePinnedFirst } from './zone-filter.ts'
import { ZoneHead, ZoneRow } from './zone-row.tsx'

const ROW_HEIGHTS = { wide: 32, narrow: 63 }

interface ZoneTableProps {
  readonly filter: ZoneFilter
  readonly total: number
  /** Whether another filter's answer is still awaited. */
  readonly isOld: boolean
  readonly pinned: readonly WireZone[]
}

export function ZoneTable({ filter, total, isOld, pinned }: ZoneTableProps) {
  const first = arePinnedFirst(filter) ? pinned : []
  const pinnedIds = new Set(pinned.map(({ id }) => id))
  const rows = useVirtualRows(total, ROW_HEIGHTS, JSON.stringify([filter, idsOf(first)]))
  const { zoneAt, summaryOf } = useZonesInSight(filter, rows.indexes, first)
  return (
    <table className={isOld ? 'reg old' : 'reg'} aria-rowcount={total + 1}>
      <ZoneHead />
      {first.length > 0 && (
        <tbody>
          {first.map((zone, index) => (
            <ZoneRow
              key={zone.id}
              row={index}
              zone={zone}
              summary={summaryOf(zone.id)}
              isPinned
              isCut={index === first.length - 1}
            />
          ))}
        </tbody>
      )}
      <tbody ref={rows.body}>
        <tr aria-hidden="true" className="spacer" style={{ height: rows.before }} />
        {rows.indexes.map((index) => {
          const zone = zoneAt(index)
          const isPinned = zone !== undefined && pinnedIds.has(zone.id)
          // It stands above. Its place has no height, and is measured like those of other rows.
          if (isPinned && first.length > 0)
            return <tr key={index} ref={rows.measure} data-index={index} hidden />
          return (
            <ZoneRow
              key={index}
              row={rowBelowPinned(index, zone, first)}
              index={index}
              measure={rows.measure}
              zone={zone}
              summary={summaryOf(zone?.id)}
              isPinned={isPinned}
            />
          )
        })}
        <tr aria-hidden="true" className="spacer" style={{ height: rows.after }} />
      </tbody>
    </table>
  )
}

/** By name. Zones that are gone, or that another user of this browser pinned, are left out. */
export function usePinned(): WireZone[] {
  const names = usePinnedZones().toSorted()
  return useQueries({ queries: names.map((name) => zoneNamed(name)) }).flatMap(({ data }) => data ?? []) // awaited or gone
}

/** Only the pages that have rows in sight are asked for, and the summaries of their zones. */
function useZonesInSight(filter: ZoneFilter, indexes: readonly number[], pinned: readonly WireZone[]) {
  const pages = pagesInSight(indexes, ZONES_PER_PAGE)
  const first = useQuery(firstZonesPage(filter))
  const others = useQueries({
    queries: pages.filter((page) => page > 1).map((page) => zonesPage(filter, page)),
  })
  const byPage = new Map(others.map(({ data }) => [data?.info?.page, data?.result]))
  byPage.set(1, first.data?.result)
  const summaries = useQueries({
    queries: [...pages.map((page) => idsOf(byPage.get(page))), idsOf(pinned)].map(summariesOf),
  })
  return {
    zoneAt: (index: number) => byPage.get(Math.floor(index / ZONES_PER_PAGE) + 1)?.[index % ZONES_PER_PAGE],
    /** @param id undefined while its page is awaited. */
    summaryOf: (id: string | undefined) =>
      id === undefined
        ? undefined
        : summaries.map(({ data }) => data?.get(id)).find((summary) => summary !== undefined),
  }
}

/** A page that is awaited has none. */
const idsOf = (zones: readonly WireZone[] | undefined): string[] =>
  zones === undefined ? [] : zones.map(({ id }) => id)
