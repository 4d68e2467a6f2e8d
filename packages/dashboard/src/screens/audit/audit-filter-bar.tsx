// The filter of the audit log: terms, days, and the account if there are several. The URL keeps it, the server is asked.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { DayFields } from '../../parts/day-fields.tsx'
import { useDelayed } from '../../parts/delayed.ts'
import { QueryField } from '../../parts/query-field.tsx'
import { auditStrings as text } from '../../strings/audit.ts'
import { AUDIT_GRAMMAR } from './audit-filter.ts'

const TYPING_MILLIS = 200

interface AuditFilterBarProps {
  /** Absent while they are awaited. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[] | undefined
  readonly found: number | undefined
}

export function AuditFilterBar({ accounts, found }: AuditFilterBarProps) {
  const search = useSearch({ from: '/frame/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const set = (next: Partial<typeof search>): void =>
    void navigate({ search: (last) => ({ ...last, ...next, entry: undefined }), resetScroll: false })
  return (
    <div className="filter">
      <Typed />
      <DayFields labels={text} days={search} onChange={set} />
      {accounts !== undefined && accounts.length > 1 && (
        <select
          className="sel auto"
          aria-label={text.account}
          value={search.account ?? accounts[0]?.id}
          onChange={({ target }) => set({ account: target.value })}
        >
          {accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {found !== undefined && <span className="hits wide">{text.found(found)}</span>}
    </div>
  )
}

function Typed() {
  const { q } = useSearch({ from: '/frame/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const [typed, setTyped] = useState(q ?? '') // no filter yet
  const settled = useDelayed(typed, TYPING_MILLIS)
  const written = useRef(q)
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const next = settled.trim() === '' ? undefined : settled.trim()
    if (next === written.current) return
    written.current = next
    void navigate({
      search: (last) => ({ ...last, q: next, entry: undefined }),
      replace: true,
      resetScroll: false,
    })
  }, [settled, navigate])
  // A button of an entry, or the back button, changed the filter: the field follows.
  useEffect(() => {
    if (q === written.current) return
    written.current = q
    setTyped(q ?? '') // no filter
    setChanges((count) => count + 1)
  }, [q])
  return (
    <QueryField
      key={changes}
      grammar={AUDIT_GRAMMAR}
      label={text.filter}
      hint={text.hint}
      text={typed}
      onChange={setTyped}
    />
  )
}
