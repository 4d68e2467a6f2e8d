// The filter of the audit log: terms and days. The URL keeps it, and the server filters.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { DayFields } from '../../parts/day-fields.tsx'
import { useDelayed } from '../../parts/delayed.ts'
import { QueryField } from '../../parts/query-field.tsx'
import { auditStrings as text } from '../../strings/audit.ts'
import { AUDIT_GRAMMAR } from './audit-filter.ts'

const TYPING_MILLIS = 200

interface AuditFilterBarProps {
  readonly found: number | undefined
}

export function AuditFilterBar({ found }: AuditFilterBarProps) {
  const search = useSearch({ from: '/frame/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const set = (next: Partial<typeof search>): void =>
    void navigate({ search: (last) => ({ ...last, ...next, entry: undefined }), resetScroll: false })
  return (
    <div className="filter">
      <Typed />
      <DayFields labels={text} days={search} onChange={set} />
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
