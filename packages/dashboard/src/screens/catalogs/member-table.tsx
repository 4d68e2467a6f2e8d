// The zones in a catalog zone as a table: as many as there may be, only those in sight are asked for.
import { keepPreviousData, useQueries, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MEMBERS_PER_PAGE, type MemberPage } from '../../api/catalogs.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { pagesInSight } from '../../parts/pages-in-sight.ts'
import { Failure, Loading, Outdated } from '../../parts/states.tsx'
import { useVirtualRows } from '../../parts/virtual-rows.ts'
import { ZoneLink } from '../../parts/zone-link.tsx'
import { catalogStrings as text } from '../../strings/catalogs.ts'
import { bareName } from './catalog-name.ts'

const ROW_HEIGHTS = { wide: 32, narrow: 62 }
/** The mark and the name. */
const COMMON_COLUMNS = 2
/** Rows are counted from 1, and the head is the first. */
const FIRST_ROW = 2

interface Member {
  readonly zone_id: string
  readonly name: string
}

type PageQuery<Row> = UseQueryOptions<MemberPage<Row>, Error, MemberPage<Row>, (string | number)[]>

interface MemberTableProps<Row extends Member> {
  readonly label: string
  /** Which list it is: rows of another one have other heights. */
  readonly list: string
  readonly page: (page: number) => PageQuery<Row>
  readonly heads: readonly ReactNode[]
  /** The cells after the name. */
  readonly cells: (row: Row) => ReactNode
  readonly mark: (row: Row) => ReactNode
}

export function MemberTable<Row extends Member>({
  label,
  list,
  page,
  heads,
  cells,
  mark,
}: MemberTableProps<Row>) {
  const first = useQuery({ ...page(1), placeholderData: keepPreviousData })
  const total = first.data?.total ?? 0 // awaited
  const rows = useVirtualRows(total, ROW_HEIGHTS, list)
  const pages = pagesInSight(rows.indexes, MEMBERS_PER_PAGE).filter((number) => number > 1)
  const others = useQueries({ queries: pages.map(page) })
  const retry = (): void => void first.refetch()
  if (first.data === undefined)
    return first.error === null ? <Loading /> : <Failure error={first.error} onRetry={retry} />
  if (total === 0) return null
  const memberAt = (index: number): Row | undefined => {
    const number = Math.floor(index / MEMBERS_PER_PAGE) + 1
    const found = number === 1 ? first.data : others[pages.indexOf(number)]?.data
    return found?.members[index % MEMBERS_PER_PAGE]
  }
  return (
    <>
      {first.error !== null && <Outdated error={first.error} onRetry={retry} />}
      <table className="reg" aria-label={label} aria-rowcount={total + 1}>
        <thead>
          <tr>
            <MarkHead />
            <th>{text.columns.zone}</th>
            {heads}
          </tr>
        </thead>
        <tbody ref={rows.body}>
          <tr aria-hidden="true" className="spacer" style={{ height: rows.before }} />
          {rows.indexes.map((index) => {
            const row = memberAt(index)
            return row === undefined ? (
              <tr key={index} data-index={index} aria-rowindex={index + FIRST_ROW}>
                <td className="m" />
                <td className="k1" colSpan={COMMON_COLUMNS - 1 + heads.length}>
                  <span className="bar" />
                </td>
              </tr>
            ) : (
              <tr key={index} ref={rows.measure} data-index={index} aria-rowindex={index + FIRST_ROW}>
                <td className="m">{mark(row)}</td>
                <td className="k1 mono">
                  <ZoneLink name={bareName(row.name)} />
                </td>
                {cells(row)}
              </tr>
            )
          })}
          <tr aria-hidden="true" className="spacer" style={{ height: rows.after }} />
        </tbody>
      </table>
    </>
  )
}
