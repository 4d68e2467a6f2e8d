// A row of the record list: owner, type, value, TTL, proxied, age, and its menu.
import { Menu } from '@base-ui/react/menu'
import { memo } from 'react'
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
        <RowMenu record={record} owner={owner} actions={actions} />
      </td>
    </tr>
  )
})

interface RowMenuProps {
  readonly record: WireRecord
  readonly owner: string
  readonly actions: RowActions
}

function RowMenu({ record, owner, actions }: RowMenuProps) {
  const items = [
    { label: strings.records.edit, key: 'e', run: actions.edit },
    { label: strings.records.duplicate, key: 'd', run: actions.duplicate },
    ...(record.proxiable
      ? [{ label: record.proxied ? strings.records.unproxy : strings.records.proxy, run: actions.proxy }]
      : []),
    { label: strings.records.copyCurl, key: 'c', run: actions.copyCurl },
    { label: strings.records.remove, key: '⌫', run: actions.remove },
  ]
  return (
    <Menu.Root>
      <Menu.Trigger className="btn bare dots" aria-label={strings.records.menuOf(owner, record.type)}>
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={2} className="positioner">
          <Menu.Popup className="float menu">
            {items.map(({ label, key, run }) => (
              <Menu.Item key={label} className="item" onClick={() => run(record)}>
                <span>{label}</span>
                {key !== undefined && <kbd>{key}</kbd>}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** A row whose page is awaited. */
export function AwaitedRow({ index, measure }: Pick<RecordRowProps, 'index' | 'measure'>) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td className="m" />
      <td className="k1" colSpan={7}>
        <span className="bar" />
      </td>
    </tr>
  )
}
