// The filter of the record list: terms as tokens, words behind them. The URL keeps it, the server is asked.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSettled } from '../../parts/delayed.ts'
import { QueryField } from '../../parts/query-field.tsx'
import { numberText, strings } from '../../strings.ts'
import { RECORD_GRAMMAR, RECORD_ORDERS } from './record-filter.ts'

const TYPING_MILLIS = 120

interface FilterBarProps {
  readonly found: number | undefined
  readonly total: number | undefined
}

export function FilterBar({ found, total }: FilterBarProps) {
  const search = useSearch({ from: '/frame/zones/$zone/records' })
  const navigate = useNavigate({ from: '/zones/$zone/records' })
  const [text, setText] = useState(search.q ?? '') // no filter yet
  useSettled(text, TYPING_MILLIS, (settled) => {
    const q = settled.trim() === '' ? undefined : settled.trim()
    void navigate({ search: (last) => ({ ...last, q }), replace: true, resetScroll: false })
  })
  return (
    <div className="filter">
      <QueryField
        grammar={RECORD_GRAMMAR}
        label={strings.records.filter}
        hint={strings.records.filterHint}
        text={text}
        onChange={setText}
      />
      {found !== undefined && total !== undefined && (
        <span className="hits wide">{strings.records.hits(numberText(found), numberText(total))}</span>
      )}
      <select
        className="sel auto"
        aria-label={strings.records.sort}
        value={search.sort ?? 'name'}
        onChange={({ target }) =>
          void navigate({
            search: (last) => ({ ...last, sort: target.value === 'name' ? undefined : target.value }),
          })
        }
      >
        {RECORD_ORDERS.map((order) => (
          <option key={order} value={order}>
            {strings.records.orders[order]}
          </option>
        ))}
      </select>
    </div>
  )
}
