// A list of what was detected: filter in the URL and asked of the server, rows as far as they are in sight.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ITEMS_PER_PAGE, monitoringOf, type ListPage } from '../../api/monitoring.ts'
import type { WireZone } from '../../api/zones.ts'
import { useSettled } from '../../parts/delayed.ts'
import { Icon } from '../../parts/icon.tsx'
import { pagesInSight } from '../../parts/pages-in-sight.ts'
import { QueryField } from '../../parts/query-field.tsx'
import { NoMatch } from '../../parts/no-match.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import type { Grammar } from '../../parts/terms.ts'
import { useVirtualRows, type RowHeights } from '../../parts/virtual-rows.ts'
import { strings } from '../../strings.ts'
import { monitoringStrings as text } from '../../strings/monitoring.ts'
import type { InventorySearch } from './inventory-filter.ts'

const TYPING_MILLIS = 200

export type Measure = (row: HTMLTableRowElement | null) => void

interface InventoryScreenProps<Item> {
  readonly zone: WireZone
  readonly words: {
    readonly title: string
    readonly intro: (total: number) => string
    readonly empty: string
    readonly emptyDetail: string
  }
  readonly grammar: Grammar
  readonly hint: string
  /** Absent if the list has no status. */
  readonly hasStatus: boolean
  readonly orders: readonly (keyof typeof text.orders)[]
  readonly page: (page: number) => ListPage<Item>
  readonly heights: RowHeights
  readonly head: ReactNode
  readonly columnCount: number
  readonly row: (item: Item, index: number, measure: Measure) => ReactNode
  /** What writes the first entry. */
  readonly command: string
  readonly tabs?: ReactNode
  readonly acts?: ReactNode
}

export function InventoryScreen<Item>(props: InventoryScreenProps<Item>) {
  const { zone, words, page } = props
  const first = useQuery(page(1))
  const search: InventorySearch = useSearch({ strict: false })
  const total = first.data?.info?.total_count
  const isFiltered = search.q !== undefined || search.status !== undefined
  return (
    <>
      <title>{`${words.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={words.title} intro={total !== undefined && words.intro(total)}>
        {props.acts}
      </PageHead>
      {props.tabs}
      <MonitoringOff zone={zone} />
      <FilterBar {...props} />
      {first.error !== null && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {first.isPending && <Loading />}
      {first.error === null && total === 0 && isFiltered && (
        <NoMatch text={text.noMatch} clear={text.clear} />
      )}
      {first.error === null && total === 0 && !isFiltered && (
        <Empty headline={words.empty} detail={words.emptyDetail} command={props.command} />
      )}
      {first.error === null && total !== undefined && total > 0 && (
        <InventoryTable {...props} total={total} isOld={first.isPlaceholderData} />
      )}
    </>
  )
}

export function MonitoringOff({ zone }: { readonly zone: WireZone }) {
  const { data: settings } = useQuery(monitoringOf(zone.id))
  if (settings === undefined || settings.enabled) return null
  return (
    <div className="callout w">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>{text.off}</b> {text.offDetail}
      </span>
      <Link className="btn" to="/zones/$zone/monitoring" params={{ zone: zone.name }}>
        {text.toSettings}
      </Link>
    </div>
  )
}

interface FilterBarProps {
  readonly grammar: Grammar
  readonly hint: string
  readonly hasStatus: boolean
  readonly orders: readonly (keyof typeof text.orders)[]
}

function FilterBar({ grammar, hint, hasStatus, orders }: FilterBarProps) {
  const search: InventorySearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (next: InventorySearch): void =>
    void navigate({ to: '.', search: (last: InventorySearch) => ({ ...last, ...next }), resetScroll: false })
  const [first = 'seen'] = orders // lists without orders have no choice
  return (
    <div className="filter">
      <TypedFilter grammar={grammar} hint={hint} />
      {hasStatus && (
        <select
          className="sel auto"
          aria-label={text.statusLabel}
          value={search.status ?? 'active'}
          onChange={({ target }) => set({ status: target.value === 'active' ? undefined : target.value })}
        >
          <option value="active">{text.defaultStatus}</option>
          <option value="infrequent">{text.statusOptions.infrequent}</option>
          <option value="inactive">{text.statusOptions.inactive}</option>
          <option value="any">{text.anyStatus}</option>
        </select>
      )}
      {orders.length > 0 && (
        <select
          className="sel auto"
          aria-label={text.sortLabel}
          value={search.sort ?? first}
          onChange={({ target }) => set({ sort: target.value === first ? undefined : target.value })}
        >
          {orders.map((order) => (
            <option key={order} value={order}>
              {text.orders[order]}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

function TypedFilter({ grammar, hint }: { readonly grammar: Grammar; readonly hint: string }) {
  const search: InventorySearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const [typed, setTyped] = useState(search.q ?? '') // no filter yet
  const settled = useSettled(typed, TYPING_MILLIS, (next) => {
    const q = next.trim() === '' ? undefined : next.trim()
    void navigate({
      to: '.',
      search: (last: InventorySearch) => (last.q === q ? last : { ...last, q }),
      replace: true,
      resetScroll: false,
    })
  })
  const [clears, setClears] = useState(0)
  const lastAsked = useRef(search.q)
  // A link that clears the filter clears the field, too; the field itself is ahead of the URL.
  useEffect(() => {
    const isCleared = lastAsked.current !== undefined && search.q === undefined
    lastAsked.current = search.q
    if (!isCleared || settled === '' || typed !== settled) return
    setTyped('')
    setClears((count) => count + 1)
  }, [search.q, settled, typed])
  return (
    <QueryField
      key={clears}
      grammar={grammar}
      label={text.filter}
      hint={hint}
      text={typed}
      onChange={setTyped}
    />
  )
}

interface InventoryTableProps<Item> {
  readonly page: (page: number) => ListPage<Item>
  readonly heights: RowHeights
  readonly head: ReactNode
  readonly columnCount: number
  readonly row: (item: Item, index: number, measure: Measure) => ReactNode
  readonly total: number
  /** Whether another filter's answer is still awaited. */
  readonly isOld: boolean
}

function InventoryTable<Item>(props: InventoryTableProps<Item>) {
  const { page, heights, head, columnCount, row, total, isOld } = props
  const rows = useVirtualRows(total, heights, JSON.stringify(page(1).queryKey))
  const pages = [...new Set([1, ...pagesInSight(rows.indexes, ITEMS_PER_PAGE)])]
  const answers = useQueries({ queries: pages.map((number) => page(number)) })
  const byPage = new Map(pages.map((number, index) => [number, answers[index]?.data?.result]))
  const itemAt = (index: number): Item | undefined =>
    byPage.get(Math.floor(index / ITEMS_PER_PAGE) + 1)?.[index % ITEMS_PER_PAGE]
  return (
    <table className={isOld ? 'reg inventory old' : 'reg inventory'} aria-rowcount={total + 1}>
      {head}
      <tbody ref={rows.body}>
        <tr aria-hidden="true" className="spacer" style={{ height: rows.before }} />
        {rows.indexes.map((index) => {
          const item = itemAt(index)
          return item === undefined ? (
            <tr key={index} data-index={index} className="two" aria-rowindex={index + 2}>
              <td className="m" />
              <td className="k1" colSpan={columnCount - 1}>
                <span className="bar" />
              </td>
            </tr>
          ) : (
            row(item, index, rows.measure)
          )
        })}
        <tr aria-hidden="true" className="spacer" style={{ height: rows.after }} />
      </tbody>
    </table>
  )
}
