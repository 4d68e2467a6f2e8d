// Threat feeds: which lists the inventories are compared with, whether they arrive, and what they say about a URL.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { feedList, feedMatches, type WireThreatFeed } from '../../api/feeds.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age, Until } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { feedStrings as text } from '../../strings/feeds.ts'
import { FeedDetail } from './feed-detail.tsx'
import { NewFeed } from './new-feed.tsx'

export function FeedsScreen() {
  const search = useSearch({ from: '/frame/feeds' })
  const navigate = useNavigate({ from: '/feeds' })
  const { data: feeds, error, refetch, isPending } = useQuery(feedList)
  const open = (add: string | undefined): void => void navigate({ search: { add } })
  useShortcuts({ n: () => open('feed') })
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <>
      <title>{`${text.title} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro}>
        {!isForbidden && (
          <button type="button" className="btn primary" onClick={() => open('feed')}>
            {text.add} <kbd>n</kbd>
          </button>
        )}
      </PageHead>
      {search.add !== undefined && <NewFeed onClose={() => open(undefined)} />}
      {isForbidden && <p className="pad soft">{text.forbidden}</p>}
      {error !== null && !isForbidden && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {feeds?.length === 0 && search.add === undefined && (
        <Empty headline={text.none} detail={text.noneDetail} command={firstFeedCommand(location.origin)}>
          <button type="button" className="btn primary" onClick={() => open('feed')}>
            {text.add} <kbd>n</kbd>
          </button>
        </Empty>
      )}
      {feeds !== undefined && feeds.length > 0 && (
        <>
          <UrlCheck />
          <FeedTable feeds={feeds} opened={search.feed} />
        </>
      )}
    </>
  )
}

const firstFeedCommand = (origin: string): string =>
  `curl ${origin}/client/v4/zonereeve/threat_feeds -H "Authorization: Bearer $TOKEN" \\
  --json '{"name": "URLhaus", "format": "urlhaus", "url": "https://urlhaus.abuse.ch/downloads/csv_online/"}'`

function UrlCheck() {
  const [typed, setTyped] = useState('')
  const [asked, ask] = useState('')
  const { data: matches, error } = useQuery(feedMatches(asked))
  const { check } = text
  return (
    <>
      <form
        className="filter"
        onSubmit={(event) => {
          event.preventDefault()
          ask(typed.trim())
        }}
      >
        <label className="query">
          <Icon name="search" />
          <span className="vh">{check.label}</span>
          <input
            type="text"
            inputMode="url"
            spellCheck={false}
            placeholder={check.label}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <button type="submit" className="btn">
          {check.button}
        </button>
      </form>
      <div aria-live="polite">
        {error !== null && (
          <div className="pad">
            <Problem error={error} />
          </div>
        )}
        {matches?.length === 0 && <p className="pad soft">{check.noMatch(asked)}</p>}
        {matches?.map(({ threat_feed_name: feed, kind, entry, categories }) => (
          <div key={`${feed}${entry}`} className="callout b">
            <span className="bad">
              <Icon name="wrong" />
            </span>
            <span>
              <b>{feed}</b>, {check.kinds[kind]} <code>{entry}</code>: {categories.join(', ')}
            </span>
          </div>
        ))}
      </div>
    </>
  )
}

function FeedTable({
  feeds,
  opened,
}: {
  readonly feeds: readonly WireThreatFeed[]
  readonly opened: string | undefined
}) {
  const { columns } = text
  return (
    <table className="reg feeds">
      <thead>
        <tr>
          <MarkHead />
          <th className="w232">{columns.name}</th>
          <th className="w136">{columns.state}</th>
          <th className="w104 num">{columns.entries}</th>
          <th className="o1">{columns.source}</th>
          <th className="w104 num">{columns.imported}</th>
          <th className="w104 num o1">{columns.next}</th>
        </tr>
      </thead>
      <tbody>
        {feeds.map((feed) => (
          <FeedRow key={feed.id} feed={feed} isOpen={feed.id === opened} />
        ))}
      </tbody>
    </table>
  )
}

const TONES: Readonly<Record<WireThreatFeed['status']['state'], Tone>> = {
  waiting: 'expected',
  imported: 'normal',
  held_back: 'warning',
  failed: 'warning',
}

function FeedRow({ feed, isOpen }: { readonly feed: WireThreatFeed; readonly isOpen: boolean }) {
  const { status } = feed
  const isMarked = feed.enabled && TONES[status.state] === 'warning'
  return (
    <>
      <tr className={feed.enabled ? undefined : 'offrow'} aria-selected={isOpen ? true : undefined}>
        <td className="m warn">{isMarked && <Icon name="warning" />}</td>
        <td className="k1">
          <Link
            className="go"
            to="/feeds"
            search={{ feed: isOpen ? undefined : feed.id }}
            aria-expanded={isOpen}
            resetScroll={false}
          >
            {feed.name}
          </Link>
        </td>
        <td className="k2">
          {feed.enabled ? (
            <StatusWord tone={TONES[status.state]}>{text.states[status.state]}</StatusWord>
          ) : (
            <StatusWord tone="off">{text.off}</StatusWord>
          )}
        </td>
        <td className="k3 num">
          {numberText(status.entries)}
          <span className="narrow-only"> {text.entryWord(status.entries)}</span>
        </td>
        <td className={feed.url === null ? 'soft o1' : 'mono soft o1'} title={feed.url ?? undefined}>
          {feed.url ?? text.uploaded}
        </td>
        <td className="num soft">
          {status.imported_at === null ? text.never : <Age at={status.imported_at} />}
        </td>
        <td className="num soft o1">
          {status.next_attempt_at === null ? '' : <Until at={status.next_attempt_at} />}
        </td>
      </tr>
      {isOpen && (
        <tr className="edit">
          <td className="m" />
          <td className="span" colSpan={6}>
            <FeedDetail feed={feed} />
          </td>
        </tr>
      )}
    </>
  )
}
