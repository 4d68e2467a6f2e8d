// The fields of the history's filter. The URL keeps them, the server is asked.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import { DayFields } from '../../parts/day-fields.tsx'
import { useSettled } from '../../parts/delayed.ts'
import { Icon } from '../../parts/icon.tsx'
import { historyStrings as text } from '../../strings/history.ts'
import { CHANGE_KINDS, type HistorySearch } from './history-filter.ts'

const TYPING_MILLIS = 200

export function HistoryFilterBar({ found }: { readonly found: string | undefined }) {
  const search = useSearch({ from: '/frame/zones/$zone/history' })
  const navigate = useNavigate({ from: '/zones/$zone/history' })
  const set = (next: HistorySearch): void =>
    void navigate({ search: (last) => ({ ...last, ...next, change: undefined }), resetScroll: false })
  return (
    <div className="filter">
      <TypedFilter member="q" label={text.name} hasKey />
      <TypedFilter member="actor" label={text.actor} />
      <select
        className="sel auto"
        aria-label={text.kind}
        value={search.kind ?? 'any'}
        onChange={({ target }) => set({ kind: target.value === 'any' ? undefined : target.value })}
      >
        <option value="any">{text.anyKind}</option>
        {CHANGE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {text.kinds[kind]}
          </option>
        ))}
      </select>
      <DayFields labels={text} days={search} onChange={set} />
      {found !== undefined && <span className="hits wide">{found}</span>}
    </div>
  )
}

interface TypedFilterProps {
  readonly member: 'q' | 'actor'
  readonly label: string
  /** Whether `/` goes to it. */
  readonly hasKey?: boolean
}

function TypedFilter({ member, label, hasKey = false }: TypedFilterProps) {
  const { [member]: asked } = useSearch({ from: '/frame/zones/$zone/history' })
  const navigate = useNavigate({ from: '/zones/$zone/history' })
  const [typed, setTyped] = useState(asked)
  const input = useRef<HTMLInputElement>(null)
  useShortcuts(hasKey ? { '/': () => input.current?.focus() } : {})
  useSettled(
    typed,
    TYPING_MILLIS,
    (settled) =>
      void navigate({
        // The change that is open stays open until another filter is asked for.
        search: (last) =>
          last[member] === settled ? last : { ...last, [member]: settled, change: undefined },
        replace: true,
        resetScroll: false,
      }),
  )
  return (
    <label className="query">
      {hasKey && <Icon name="search" />}
      <span className="vh">{label}</span>
      <input
        ref={input}
        type="search"
        placeholder={label}
        value={typed ?? ''} // nothing typed yet
        onChange={({ target }) => setTyped(target.value === '' ? undefined : target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (typed === undefined) input.current?.blur()
          else setTyped(undefined)
        }}
      />
      {hasKey && <kbd>/</kbd>}
    </label>
  )
}
