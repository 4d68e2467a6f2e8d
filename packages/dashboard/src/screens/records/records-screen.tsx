// The records of a zone: a register of any length, with the row in edit in its place.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import { firstRecordsPage, type WireRecord } from '../../api/records.ts'
import { recordUsage, type WireZone } from '../../api/zones.ts'
import { NoMatch } from '../../parts/no-match.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { numberText, strings } from '../../strings.ts'
import { BulkBar } from './bulk-bar.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterQuery, parseFilter } from './record-filter.ts'
import { FORM_TYPES } from './record-forms.ts'
import { RecordTable, type Opened } from './record-table.tsx'

export function RecordsScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/records' })
  const filter = useMemo(
    () => filterQuery(parseFilter(search.q ?? ''), search.sort, FORM_TYPES), // no filter in the URL
    [search.q, search.sort],
  )
  const first = useQuery(firstRecordsPage(zone.id, filter))
  const usage = useQuery(recordUsage(zone.id))
  const [opened, open] = useOpened()
  const [selected, setSelected] = useState<ReadonlyMap<string, WireRecord>>(new Map())
  const add = useCallback(() => open({ id: 'new' }), [open])
  useShortcuts({ n: add })
  const found = first.data?.info?.total_count
  return (
    <>
      <title>{`${strings.records.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={strings.records.title}>
        <Link className="btn" to="/zones/$zone/records/text" params={{ zone: zone.name }}>
          {strings.records.asText}
        </Link>
        <button type="button" className="btn primary" onClick={add}>
          {strings.records.add} <kbd>n</kbd>
        </button>
      </PageHead>
      <FilterBar found={found} total={usage.data} />
      {first.error !== null && first.data === undefined && (
        <Failure error={first.error} onRetry={() => void first.refetch()} />
      )}
      {first.isPending && <Loading />}
      {found === 0 && opened === undefined && (
        <NoRecords zone={zone} total={usage.data} q={search.q} onAdd={add} />
      )}
      {found !== undefined && (found > 0 || opened !== undefined) && (
        <RecordTable
          zone={zone}
          filter={filter}
          found={found}
          isOld={first.isPlaceholderData}
          opened={opened}
          onOpen={open}
          selected={selected}
          onSelected={setSelected}
        />
      )}
      {selected.size > 0 && <BulkBar zone={zone} selected={selected} onDone={() => setSelected(new Map())} />}
    </>
  )
}

/** What is in edit is in the URL; what a new record is a copy of is not. */
function useOpened(): [Opened | undefined, (opened: Opened | undefined) => void] {
  const search = useSearch({ from: '/frame/zones/$zone/records' })
  const navigate = useNavigate({ from: '/zones/$zone/records' })
  const [template, setTemplate] = useState<WireRecord>()
  const open = useCallback(
    (opened: Opened | undefined) => {
      setTemplate(opened?.template)
      void navigate({ search: (last) => ({ ...last, edit: opened?.id }), replace: true, resetScroll: false })
    },
    [navigate],
  )
  const { edit } = search
  if (edit === undefined) return [undefined, open]
  return [{ id: edit, ...(template === undefined ? {} : { template }) }, open]
}

interface NoRecordsProps {
  readonly zone: WireZone
  readonly total: number | undefined
  readonly q: string | undefined
  readonly onAdd: () => void
}

function NoRecords({ zone, total, q, onAdd }: NoRecordsProps) {
  if (q === undefined)
    return (
      <Empty
        headline={strings.records.none}
        detail={strings.records.noneDetail}
        command={strings.records.noneCommand(zone.name)}
      >
        <button type="button" className="btn primary" onClick={onAdd}>
          {strings.records.add} <kbd>n</kbd>
        </button>
      </Empty>
    )
  return (
    <NoMatch
      text={
        <>
          {strings.records.noMatch(total === undefined ? '' : numberText(total))} <code>{q}</code>.
        </>
      }
      clear={strings.records.clear}
    />
  )
}
