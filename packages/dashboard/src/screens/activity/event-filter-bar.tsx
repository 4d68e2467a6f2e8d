// The filter of the activity log: tokens, the time, and whether new events are asked for.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { TokenField } from '../../parts/token-field.tsx'
import { activityStrings as text } from '../../strings/activity.ts'
import {
  EVENT_GRAMMAR,
  rangeName,
  RANGES,
  changeTerms,
  termsOf,
  writeTerms,
  type ActivitySearch,
  type EventTerm,
} from './event-filter.ts'
import { utcTime } from './utc-time.ts'

interface EventFilterBarProps {
  readonly found: string | undefined
  readonly isFollowing: boolean
  readonly onFollow: () => void
}

export function EventFilterBar({ found, isFollowing, onFollow }: EventFilterBarProps) {
  const search = useSearch({ from: '/frame/zones/$zone/activity' })
  const navigate = useNavigate({ from: '/zones/$zone/activity' })
  const [tail, setTail] = useState('')
  const terms = termsOf(search)
  const change = (next: readonly EventTerm[], typed: string): void => {
    setTail(typed)
    if (next === terms) return
    const removed = terms.filter((term) => !next.includes(term))
    const added = next.filter((term) => !terms.includes(term))
    void navigate({
      // The URL may be ahead of what is on the page: typing is faster than the list.
      search: (last) => ({ ...last, q: writeTerms(changeTerms(last, removed, added)), event: undefined }),
      replace: true,
      resetScroll: false,
    })
  }
  const isUnknown = /\S\s+$/.test(tail)
  return (
    <>
      <div className="filter">
        <TokenField
          terms={terms}
          tail={tail}
          label={text.filter}
          hint={text.filterHint}
          grammar={EVENT_GRAMMAR}
          onChange={change}
        />
        <RangeChoice search={search} />
        {found !== undefined && <span className="hits wide">{found}</span>}
        <button type="button" className="btn" aria-pressed={isFollowing} onClick={onFollow}>
          {isFollowing ? text.following : text.follow}
        </button>
      </div>
      {isUnknown && (
        <p className="pad bad row nowrap" role="alert">
          <Icon name="wrong" />
          <span>{text.unknownTerm(tail.trim())}</span>
        </p>
      )}
    </>
  )
}

function RangeChoice({ search }: { readonly search: ActivitySearch }) {
  const navigate = useNavigate({ from: '/zones/$zone/activity' })
  const name = rangeName(search)
  return (
    <select
      className="sel auto"
      aria-label={text.time}
      value={name ?? 'own'}
      onChange={({ target }) =>
        void navigate({
          search: (last) => ({ ...last, since: target.value, until: undefined, event: undefined }),
          resetScroll: false,
        })
      }
    >
      {name === undefined && <option value="own">{rangeText(search)}</option>}
      {RANGES.map((range) => (
        <option key={range} value={range}>
          {text.ranges[range]}
        </option>
      ))}
    </select>
  )
}

function rangeText({ since, until }: ActivitySearch): string {
  const [from, to] = [since, until].map((time) =>
    time === undefined || Number.isNaN(Date.parse(time)) ? time : utcTime(Date.parse(time)),
  )
  if (from !== undefined && to !== undefined) return text.between(from, to)
  return from === undefined ? text.to(String(to)) : text.from(from)
}
