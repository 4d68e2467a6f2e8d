// The table of the records in sight, the row in edit, and the keys of its rows.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import {
  firstRecordsPage,
  patchRecord,
  recordsPage,
  batchRecords,
  RECORDS_PER_PAGE,
  type RecordFilter,
  type WireRecord,
} from '../../api/records.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { pagesInSight } from '../../parts/pages-in-sight.ts'
import { useVirtualRows } from '../../parts/virtual-rows.ts'
import { strings } from '../../strings.ts'
import { RecordEditor } from './record-editor.tsx'
import { AwaitedRow, RecordHead, RecordRow, type RowActions } from './record-row.tsx'
import { useZoneWrite } from './record-screen-state.ts'
import { curlFor, relativeTo } from './record-text.ts'

/** The record in edit, or `new`. */
export interface Opened {
  readonly id: string
  readonly template?: WireRecord
}

export type Selected = ReadonlyMap<string, WireRecord>

interface RecordTableProps {
  readonly zone: WireZone
  readonly filter: RecordFilter
  /** Records that match the filter. */
  readonly found: number
  /** Whether the answer to another filter is still awaited. */
  readonly isOld: boolean
  readonly opened: Opened | undefined
  readonly onOpen: (opened: Opened | undefined) => void
  readonly selected: Selected
  readonly onSelected: (selected: Selected) => void
}

const ROW_HEIGHTS = { wide: 32, narrow: 63 }

export function RecordTable(props: RecordTableProps) {
  const { zone, filter, found, isOld, opened, onOpen, selected, onSelected } = props
  const rows = useVirtualRows(found, ROW_HEIGHTS, JSON.stringify(filter))
  const recordAt = useRecordsInSight(zone.id, filter, rows.indexes)
  const [focused, setFocused] = useState(-1)
  const actions = useRowActions(props, recordAt, setFocused)
  const inSight = rows.indexes.map(recordAt).filter((record) => record !== undefined)
  useRowKeys({ focused, setFocused, found, recordAt, actions, rows, props })
  const selectAll = (isAll: boolean): void =>
    onSelected(new Map(isAll ? inSight.map((record) => [record.id, record]) : []))
  const close = (): void => onOpen(undefined)
  return (
    <table className={classOf(isOld, selected.size > 0)} aria-rowcount={found + 1}>
      <RecordHead
        isAll={selected.size > 0 && inSight.every(({ id }) => selected.has(id))}
        onAll={selectAll}
      />
      {opened?.id === 'new' && (
        <tbody>
          <EditRow mark="add">
            <RecordEditor
              key={opened.template?.id}
              zone={zone}
              record={undefined}
              template={opened.template}
              onClose={close}
            />
          </EditRow>
        </tbody>
      )}
      <tbody ref={rows.body}>
        <tr aria-hidden="true" className="spacer" style={{ height: rows.before }} />
        {rows.indexes.map((index) => {
          const record = recordAt(index)
          if (record === undefined) return <AwaitedRow key={index} index={index} />
          if (opened?.id === record.id)
            return (
              <EditRow key={record.id} mark="change" index={index} measure={rows.measure}>
                <RecordEditor zone={zone} record={record} template={undefined} onClose={close} />
              </EditRow>
            )
          return (
            <RecordRow
              key={record.id}
              index={index}
              record={record}
              isAgain={index > 0 && recordAt(index - 1)?.name === record.name}
              isSelected={selected.has(record.id)}
              isFocused={focused === index}
              actions={actions}
              measure={rows.measure}
            />
          )
        })}
        <tr aria-hidden="true" className="spacer" style={{ height: rows.after }} />
      </tbody>
    </table>
  )
}

const classOf = (isOld: boolean, isSelecting: boolean): string =>
  ['reg records', isOld ? 'old' : '', isSelecting ? 'selecting' : ''].join(' ').trim()

interface EditRowProps {
  readonly mark: 'add' | 'change'
  readonly index?: number
  readonly measure?: (row: HTMLTableRowElement | null) => void
  readonly children: React.ReactNode
}

function EditRow({ mark, index, measure, children }: EditRowProps) {
  return (
    <tr ref={measure} data-index={index} className="edit">
      <td className="m">
        <Icon name={mark} />
        <span className="vh">{strings.records.inEdit}</span>
      </td>
      <td className="span" colSpan={7}>
        {children}
      </td>
    </tr>
  )
}

/** The record of a row; undefined while its page is awaited. */
function useRecordsInSight(
  zoneId: string,
  filter: RecordFilter,
  indexes: readonly number[],
): (index: number) => WireRecord | undefined {
  const pages = pagesInSight(indexes, RECORDS_PER_PAGE)
  const first = useQuery(firstRecordsPage(zoneId, filter))
  const others = useQueries({
    queries: pages.filter((page) => page > 1).map((page) => recordsPage(zoneId, filter, page)),
  })
  const byPage = new Map(others.map(({ data }) => [data?.info?.page, data?.result]))
  byPage.set(1, first.data?.result)
  return (index) => byPage.get(Math.floor(index / RECORDS_PER_PAGE) + 1)?.[index % RECORDS_PER_PAGE]
}

/** The same functions as long as the screen is open, so that a row is rendered again only if it changed. */
function useRowActions(
  props: RecordTableProps,
  recordAt: (index: number) => WireRecord | undefined,
  setFocused: (index: number) => void,
): RowActions {
  const write = useZoneWrite(props.zone.id)
  const anchor = useRef<string>(undefined)
  const current = useRef({ props, recordAt, write })
  useEffect(() => {
    current.current = { props, recordAt, write }
  })
  return useMemo<RowActions>(
    () => ({
      edit: ({ id }) => current.current.props.onOpen({ id }),
      duplicate: (record) => current.current.props.onOpen({ id: 'new', template: record }),
      remove: (record) => {
        const { props: now, write: mutation } = current.current
        mutation.mutate({
          run: () => batchRecords(now.zone.id, { deletes: [{ id: record.id }] }),
          done: strings.records.removed(relativeTo(record.name, record.zone_name), record.type),
        })
      },
      proxy: (record) => {
        const { props: now, write: mutation } = current.current
        mutation.mutate({
          run: () => patchRecord(now.zone.id, record.id, { proxied: !record.proxied }),
          done: strings.records.saved(relativeTo(record.name, record.zone_name), record.type),
        })
      },
      copyCurl: (record) => {
        const path = `/zones/${record.zone_id}/dns_records/${record.id}`
        void navigator.clipboard.writeText(curlFor(location.origin, 'GET', path))
      },
      select: (record, isRange) => {
        const { props: now } = current.current
        const next = new Map(now.selected)
        if (isRange && anchor.current !== undefined) addRange(next, anchor.current, record)
        else if (next.has(record.id)) next.delete(record.id)
        else next.set(record.id, record)
        anchor.current = record.id
        now.onSelected(next)
      },
      focus: setFocused,
    }),
    [setFocused],
  )

  /** Everything on the loaded pages between two records. */
  function addRange(into: Map<string, WireRecord>, from: string, to: WireRecord): void {
    const { props: now, recordAt: at } = current.current
    let isInside = false
    for (let index = 0; index < now.found; index += 1) {
      const record = at(index)
      if (record === undefined) continue
      const isEnd = record.id === from || record.id === to.id
      if (isInside || isEnd) into.set(record.id, record)
      if (isEnd && isInside) return
      if (isEnd) isInside = true
    }
  }
}

interface RowKeys {
  readonly focused: number
  readonly setFocused: (index: number) => void
  readonly found: number
  readonly recordAt: (index: number) => WireRecord | undefined
  readonly actions: RowActions
  readonly rows: { readonly scrollTo: (index: number) => void }
  readonly props: RecordTableProps
}

function useRowKeys({ focused, setFocused, found, recordAt, actions, rows, props }: RowKeys): void {
  const move = (by: number): void => {
    const next = Math.min(found - 1, Math.max(0, focused + by))
    setFocused(next)
    rows.scrollTo(next)
  }
  const onRow = (action: (record: WireRecord) => void) => (): void => {
    const record = recordAt(focused)
    if (record !== undefined) action(record)
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    e: onRow(actions.edit),
    d: onRow(actions.duplicate),
    c: onRow(actions.copyCurl),
    x: onRow((record) => actions.select(record, false)),
    X: onRow((record) => actions.select(record, true)),
    Backspace: onRow(actions.remove),
    Escape: () => (props.selected.size > 0 ? props.onSelected(new Map()) : setFocused(-1)),
  })
}
