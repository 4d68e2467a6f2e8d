// A row of the record list: owner, type, value, TTL, proxied, age, and its menu.
import { lazy, memo, Suspense, useState } from 'react'
import type { WireRecord } from '../../api/records.ts'
import { Icon } from '../../parts/icon.tsx'
import { Age } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { longBytes, relativeTo, ttlText, valueLine } from './record-text.ts'

const { columns } = strings.records

/** What can be done with a row. All of them are the same functions as long as the screen is open. */
export interface RowActions {
  readonly edit: (record: WireRecord) => void
  readonly duplicate: (record: WireRecord) => void
  readonly remove: (record: WireRecord) => void
  readonly proxy: (record: WireRecord) => void
  readonly copyCurl: (record: WireRecord) => void
  readonly select: (record: WireRecord, isRange: boolean) => void
  readonly focus: (index: number) => void
}

interface HeadProps {
  readonly isAll: boolean
  readonly onAll: (isAll: boolean) => void
}

export function RecordHead({ isAll, onAll }: HeadProps) {
  return (
    <thead>
      <tr>
        <th className="m">
          <input
            className="ck"
            type="checkbox"
            aria-label={strings.records.selectAll}
            checked={isAll}
            onChange={({ target }) => onAll(target.checked)}
          />
        </th>
        <th className="w232">{columns.name}</th>
        <th className="w104">{columns.type}</th>
        <th>{columns.content}</th>
        <th className="w88 num">{columns.ttl}</th>
        <th className="w88">{columns.proxied}</th>
        <th className="w88 num">{columns.changed}</th>
        <th className="w56">
          <span className="vh">{columns.more}</span>
        </th>
      </tr>
    </thead>
  )
}

interface RecordRowProps {
  readonly index: number
  readonly record: WireRecord
  /** Whether the row above has the same owner: it is gray then, as a blank owner in a zone file. */
  readonly isAgain: boolean
  readonly isSelected: boolean
  readonly isFocused: boolean
  readonly actions: RowActions
  readonly measure: (row: HTMLTableRowElement | null) => void
}

export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { index, record, isAgain, isSelected, isFocused, actions, measure } = props
  const owner = relativeTo(record.name, record.zone_name)
  const bytes = longBytes(record.content)
  return (
    <tr
      ref={measure}
      data-index={index}
      data-focused={isFocused ? true : undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onDoubleClick={() => actions.edit(record)}
      onClick={() => actions.focus(index)}
    >
      <td className="m">
        <input
          className="ck"
          type="checkbox"
          checked={isSelected}
          aria-label={strings.records.select(owner, record.type)}
          onChange={(event) => {
            const { nativeEvent } = event
            actions.select(record, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }}
        />
      </td>
      <td className="k1 mono owner" title={record.name}>
        {isAgain ? <span className="again">{owner}</span> : <b>{owner}</b>}
      </td>
      <td className="k2">
        <span className="ty">{record.type}</span>
      </td>
      <td className="k3 mono" title={record.comment ?? undefined}>
        <span className="tx">
          <span>{valueLine(record)}</span>
          {bytes !== undefined && <span className="more">{strings.records.bytes(numberText(bytes))}</span>}
        </span>
      </td>
      <td className="num">{ttlText(record.ttl)}</td>
      <td>{record.proxied ? strings.records.edge : ''}</td>
      <td className="num soft">
        <Age at={record.modified_on} />
      </td>
      <td className="k5">
        <RowMenuButton record={record} owner={owner} actions={actions} />
      </td>
    </tr>
  )
})

/** The menu itself is loaded when somebody is about to open one. */
const loadMenu = () => import('./row-menu.tsx')
const RowMenu = lazy(async () => ({ default: (await loadMenu()).RowMenu }))
const preloadMenu = (): void => void loadMenu().catch(() => undefined) // opening it tries again and says so

interface RowMenuButtonProps {
  readonly record: WireRecord
  readonly owner: string
  readonly actions: RowActions
}

function RowMenuButton({ record, owner, actions }: RowMenuButtonProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <button
      type="button"
      className="btn bare dots"
      aria-label={strings.records.menuOf(owner, record.type)}
      aria-haspopup="menu"
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={() => setWanted(true)}
    >
      <Icon name="more" />
    </button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <RowMenu record={record} owner={owner} actions={actions} />
    </Suspense>
  )
}

/** A row whose page is awaited: it has the common height. */
export function AwaitedRow({ index }: Pick<RecordRowProps, 'index'>) {
  return (
    <tr data-index={index} aria-rowindex={index + 2}>
      <td className="m" />
      <td className="k1" colSpan={7}>
        <span className="bar" />
      </td>
    </tr>
  )
}
