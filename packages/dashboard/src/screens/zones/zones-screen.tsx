// The list of zones: filtered and sorted by the server, as long as it is.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import { attentionCount, firstZonesPage, zoneCount, type ZoneFilter } from '../../api/zones.ts'
import { currentSession } from '../../api/session.ts'
import { mayWriteAccounts } from '../../parts/may-write.ts'
import { useSettled } from '../../parts/delayed.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { NewZone } from './new-zone.tsx'
import { readZoneFilter, ZONE_ORDERS, ZONE_STATUSES } from './zone-filter.ts'
import { usePinned, ZoneTable } from './zone-table.tsx'

const TYPING_MILLIS = 120

/** The reader of zone files is large. */
const ImportZones = lazy(async () => ({ default: (await import('./import-zones.tsx')).ImportZones }))

export function ZonesScreen() {
  const search = useSearch({ from: '/frame/zones' })
  const navigate = useNavigate({ from: '/zones' })
  const filter = useMemo(() => readZoneFilter(search), [search])
  const first = useQuery(firstZonesPage(filter))
  const open = (add: string | undefined) => void navigate({ search: (last) => ({ ...last, add }) })
  const { data: session } = useQuery(currentSession)
  const mayCreate = mayWriteAccounts(session)
  const [isImporting, setImporting] = useState(false)
  // Chosen files and results of an import would be lost.
  const add = (what: 'zone' | 'files') => !isImporting && open(what)
  const closeImport = (): void => {
    setImporting(false)
    open(undefined)
  }
  useShortcuts({ n: () => mayCreate && add('zone') })
  const total = first.data?.info?.total_count
  const { data: all } = useQuery(zoneCount)
  const pinned = usePinned()
  return (
    <>
      <title>{`${strings.zones.title} · ${strings.product}`}</title>
      <PageHead
        title={strings.zones.title}
        intro={
          all !== undefined && (
            <>
              {strings.zones.summary(all, pinned.length)} <AttentionLink />
            </>
          )
        }
      >
        {mayCreate && (
          <>
            <button type="button" className="btn wide" disabled={isImporting} onClick={() => add('files')}>
              {strings.zones.importFiles}
            </button>
            <button type="button" className="btn primary" disabled={isImporting} onClick={() => add('zone')}>
              {strings.zones.add} <kbd>n</kbd>
            </button>
          </>
        )}
      </PageHead>
      {(search.add === 'files' || isImporting) && (
        <Suspense fallback={<Loading />}>
          <ImportZones onBusy={setImporting} onClose={closeImport} />
        </Suspense>
      )}
      {search.add !== undefined && search.add !== 'files' && !isImporting && (
        <NewZone onClose={() => open(undefined)} />
      )}
      {filter.needsAttention === true ? <AttentionBar total={total} /> : <FilterBar total={total} />}
      {first.error !== null && first.data === undefined && (
        <Failure error={first.error} onRetry={() => void first.refetch()} />
      )}
      {first.isPending && <Loading />}
      {total === 0 && (
        <NoZones filter={filter} q={search.q} onAdd={mayCreate ? () => add('zone') : undefined} />
      )}
      {total !== undefined && total > 0 && (
        <ZoneTable filter={filter} total={total} isOld={first.isPlaceholderData} pinned={pinned} />
      )}
    </>
  )
}

/** Only if there are any. */
function AttentionLink() {
  const { data } = useQuery(attentionCount)
  if (data?.count === undefined || data.count === 0) return null
  return (
    <Link className="link" to="/zones" search={{ attention: 'yes' }} activeOptions={{ exact: true }}>
      {strings.zones.needAttention(data.count, data.isComplete)}
    </Link>
  )
}

function AttentionBar({ total }: { readonly total: number | undefined }) {
  return (
    <div className="filter">
      <b>{strings.zones.onlyAttention}</b>
      {total !== undefined && <span className="hits">{strings.zones.count(total)}</span>}
      <Link className="link" to="/zones" search={{}}>
        {strings.zones.showAll}
      </Link>
    </div>
  )
}

interface NoZonesProps {
  readonly filter: ZoneFilter
  readonly q: string | undefined
  /** Absent for those who may not add zones. */
  readonly onAdd: (() => void) | undefined
}

function NoZones({ filter, q, onAdd }: NoZonesProps) {
  const navigate = useNavigate({ from: '/zones' })
  if (filter.name === undefined && filter.status === undefined && filter.needsAttention === undefined)
    return (
      <Empty
        headline={strings.zones.none}
        detail={onAdd === undefined ? strings.zones.noneVisible : strings.zones.noneDetail}
        {...(onAdd === undefined ? {} : { command: strings.zones.noneCommand })}
      >
        {onAdd === undefined ? undefined : (
          <button type="button" className="btn primary" onClick={onAdd}>
            {strings.zones.add} <kbd>n</kbd>
          </button>
        )}
      </Empty>
    )
  if (filter.needsAttention === true) return <p className="pad soft">{strings.zones.noAttention}</p>
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
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  useSettled(
    typed,
    TYPING_MILLIS,
    (q) => void navigate({ search: (last) => ({ ...last, q }), replace: true, resetScroll: false }),
  )
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
