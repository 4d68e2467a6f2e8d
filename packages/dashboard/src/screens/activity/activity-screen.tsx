// The activity log: requests that a rule ended or logged. Filter, time and the open row are in the URL.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import {
  eventPages,
  eventSummary,
  exportPath,
  type EventRange,
  type WireSecurityEvent,
  type WireSecurityEventSummary,
} from '../../api/security-events.ts'
import type { WireZone } from '../../api/zones.ts'
import { OlderButton } from '../../parts/older-button.tsx'
import { NoMatch } from '../../parts/no-match.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { strings, numberText } from '../../strings.ts'
import { activityStrings as text } from '../../strings/activity.ts'
import { rangeOf, termsOf, withTerm, writeTerms, type EventTerm } from './event-filter.ts'
import { EventFilterBar } from './event-filter-bar.tsx'
import { GROUPS } from '../../parts/action-groups.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { groupedBars } from './event-groups.ts'
import { EventRow } from './event-row.tsx'
import { TopLists } from './top-lists.tsx'
import { utcWholeDay } from './utc-time.ts'

const EventChart = lazy(async () => ({ default: (await import('./event-chart.tsx')).EventChart }))

export function ActivityScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/activity' })
  const navigate = useNavigate({ from: '/zones/$zone/activity' })
  const [isFollowing, setFollowing] = useState(false)
  const range = useMemo(() => rangeOf(search), [search.q, search.since, search.until])
  // What is read does not move away.
  const isRefreshed = isFollowing && search.event === undefined
  const list = useInfiniteQuery(eventPages(zone.id, range, isRefreshed))
  const summary = useQuery(eventSummary(zone.id, range, isRefreshed))
  const events = list.data?.pages.flatMap(({ result }) => result)
  const failed = [list, summary].find(({ error }) => error !== null)
  const addTerm = (term: EventTerm): void =>
    void navigate({
      search: (last) => ({ ...last, q: writeTerms(withTerm(termsOf(last), term)), event: undefined }),
      resetScroll: false,
    })
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <Head zone={zone} range={range} />
      <EventFilterBar
        found={summary.data === undefined ? undefined : text.events(summary.data.events)}
        isFollowing={isRefreshed}
        onFollow={() => {
          setFollowing(!isRefreshed)
          if (search.event !== undefined) void navigate({ search: (last) => ({ ...last, event: undefined }) })
        }}
      />
      {failed !== undefined && failed.error !== null && (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {failed === undefined && (events === undefined || summary.data === undefined) && <Loading />}
      {failed === undefined && summary.data !== undefined && summary.data.events > 0 && (
        <Counts summary={summary.data} onTerm={addTerm} />
      )}
      {failed === undefined && events !== undefined && events.length > 0 && (
        <Log zone={zone.name} events={events} opened={search.event} onTerm={addTerm} />
      )}
      {failed === undefined && events?.length === 0 && <NoEvents zone={zone} />}
      <OlderButton text={text.older} list={list} />
    </>
  )
}

const MAX_EXPORTED = 10_000

function Head({ zone, range }: { readonly zone: WireZone; readonly range: EventRange }) {
  return (
    <PageHead title={text.title} intro={text.intro}>
      <a className="btn" href={exportPath(zone.id, range)} download title={text.exportCut(MAX_EXPORTED)}>
        {text.export}
      </a>
    </PageHead>
  )
}

interface CountsProps {
  readonly summary: WireSecurityEventSummary
  readonly onTerm: (term: EventTerm) => void
}

function Counts({ summary, onTerm }: CountsProps) {
  const navigate = useNavigate({ from: '/zones/$zone/activity' })
  const bars = useMemo(() => groupedBars(summary), [summary])
  const highest = Math.max(...bars.map(({ total }) => total))
  const narrow = (sinceMillis: number, untilMillis: number): void =>
    void navigate({
      search: (last) => ({
        ...last,
        since: new Date(sinceMillis).toISOString(),
        until: new Date(untilMillis).toISOString(),
        event: undefined,
      }),
      resetScroll: false,
    })
  return (
    <>
      <div className="chart histo events">
        <div className="legend">
          {GROUPS.map((group) => {
            const count = bars.reduce((sum, { counts }) => sum + counts[group], 0)
            if (count === 0) return null
            return (
              <span key={group}>
                <svg className="sw" aria-hidden="true">
                  <rect className={`g-${group}`} width="8" height="8" />
                </svg>
                {text.groups[group]} <b className="mono">{numberText(count)}</b>
              </span>
            )
          })}
          <span className="dim wide">{text.bars(lengthText(summary.bar_seconds), highest)}</span>
        </div>
        <Suspense fallback={<div className="plot waiting" />}>
          <EventChart bars={bars} barMillis={summary.bar_seconds * 1_000} onRange={narrow} />
        </Suspense>
      </div>
      <TopLists top={summary.top} onTerm={onTerm} />
    </>
  )
}

function lengthText(seconds: number): string {
  if (seconds < 60) return text.seconds(seconds)
  if (seconds < 3_600) return text.minutes(seconds / 60)
  return seconds < 86_400 ? text.hours(seconds / 3_600) : text.days(seconds / 86_400)
}

interface LogProps {
  readonly zone: string
  readonly events: readonly WireSecurityEvent[]
  /** Ray of the row that is open. */
  readonly opened: string | undefined
  readonly onTerm: (term: EventTerm) => void
}

function Log({ zone, events, opened, onTerm }: LogProps) {
  const navigate = useNavigate({ from: '/zones/$zone/activity' })
  const toggle = (ray: string): void =>
    void navigate({
      search: (last) => ({ ...last, event: last.event === ray ? undefined : ray }),
      resetScroll: false,
    })
  return (
    <table className="reg log">
      <thead>
        <tr>
          <th className="m">
            <span className="vh">{text.columns.open}</span>
          </th>
          <th className="w136">{text.columns.time}</th>
          <th className="w176">{text.columns.action}</th>
          <th className="w72 o1">{text.columns.method}</th>
          <th>{text.columns.target}</th>
          <th className="w176">{text.columns.from}</th>
          <th className="w320">{text.columns.rule}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event, index) => (
          <Day key={event.ray_id} event={event} above={events[index - 1]}>
            <EventRow
              zone={zone}
              event={event}
              isOpen={opened === event.ray_id}
              onToggle={() => toggle(event.ray_id)}
              onTerm={onTerm}
            />
          </Day>
        ))}
      </tbody>
    </table>
  )
}

interface DayProps {
  readonly event: WireSecurityEvent
  readonly above: WireSecurityEvent | undefined
  readonly children: React.ReactNode
}

/** The day stands above its first row, if there are several days. */
function Day({ event, above, children }: DayProps) {
  const day = event.occurred_at.slice(0, 10)
  const isNew = above !== undefined && above.occurred_at.slice(0, 10) !== day
  return (
    <>
      {isNew && (
        <tr className="day">
          <td className="m" />
          <td className="span small dim" colSpan={6}>
            {utcWholeDay(event.occurred_at)}
          </td>
        </tr>
      )}
      {children}
    </>
  )
}

function NoEvents({ zone }: { readonly zone: WireZone }) {
  const search = useSearch({ from: '/frame/zones/$zone/activity' })
  if (termsOf(search).length === 0)
    return (
      <Empty
        headline={text.none}
        detail={text.noneDetail}
        command={text.noneCommand(location.origin, zone.id, zone.name)}
      />
    )
  return <NoMatch text={text.noMatch} clear={text.clear} />
}
