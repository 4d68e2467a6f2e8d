// One watched page: what it is sent with now, and every change of it.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useNavigate, useParams } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
import {
  changeInterval,
  checkPage,
  pageHistoryOf,
  stopWatching,
  watchedPageOf,
  type WireSnapshot,
  type WireWatchedPage,
} from '../../api/watched-pages.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { Exact } from '../../parts/time.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { watchedPageStrings as text } from '../../strings/watched-pages.ts'
import { IntervalChoice } from './new-page.tsx'
import { bareUrl } from '../inventory/inventory-url.ts'
import { PageHistory } from './page-history.tsx'
import { scriptText } from './page-changes.ts'
import { PageState } from './watched-pages-screen.tsx'

export function WatchedPageScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { page: id } = useParams({ from: '/frame/zones/$zone/pages/$page' })
  const page = useQuery(watchedPageOf(zone.id, id))
  const history = useQuery(pageHistoryOf(zone.id, id))
  const failed = [page, history].find(({ error }) => error !== null)
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      {failed !== undefined && failed.error !== null && (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {failed === undefined && page.isPending && <Loading />}
      {page.data !== undefined && (
        <>
          <Head zone={zone} page={page.data} />
          <Drift snapshot={page.data.current} />
          <Checks zone={zone} page={page.data} />
          {page.data.current !== null && <Headers snapshot={page.data.current} />}
          {page.data.current !== null && <Scripts snapshot={page.data.current} />}
        </>
      )}
      {history.data !== undefined && <PageHistory snapshots={history.data} />}
    </>
  )
}

interface PageProps {
  readonly zone: WireZone
  readonly page: WireWatchedPage
}

function Head({ zone, page }: PageProps) {
  const navigate = useNavigate()
  const action = useZoneAction(zone.id)
  useCrumbDetail(bareUrl(page.url))
  return (
    <>
      <PageHead name={page.url} intro={<PageState page={page} />}>
        <button
          type="button"
          className="btn"
          disabled={action.isPending}
          onClick={() =>
            action.mutate({
              run: async () => {
                await stopWatching(zone.id, page.id)
                await navigate({ to: '/zones/$zone/pages', params: { zone: zone.name } })
              },
              done: text.removed,
            })
          }
        >
          {text.remove}
        </button>
        <button
          type="button"
          className="btn primary"
          disabled={action.isPending}
          onClick={() => action.mutate({ run: () => checkPage(zone.id, page.id), done: text.checking })}
        >
          {text.check}
        </button>
      </PageHead>
      {action.error !== null && (
        <div className="pad">
          <Problem error={action.error} />
        </div>
      )}
    </>
  )
}

function Drift({ snapshot }: { readonly snapshot: WireSnapshot | null }) {
  if (snapshot === null || snapshot.missing_policies.length === 0) return null
  return (
    <div className="callout w">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>{text.drift(snapshot.missing_policies.length)}</b>{' '}
        {text.driftDetail(snapshot.missing_policies.length)}
      </span>
    </div>
  )
}

function Checks({ zone, page }: PageProps) {
  const action = useZoneAction(zone.id)
  const { status, current, interval_minutes: minutes } = page
  return (
    <Section title={text.facts} mark={status.problem !== null ? 'warning' : undefined}>
      <div className="stack">
        <dl className="kv">
          <dt>{text.checked}</dt>
          <dd>{status.checked_at === null ? text.never : <Exact at={status.checked_at} />}</dd>
          {status.problem !== null && (
            <>
              <dt>{text.problem}</dt>
              <dd className="warn">
                {{ ...text.problems, type: text.notHtml, browser: text.noBrowser }[status.problem]}
              </dd>
            </>
          )}
          <dt>{text.next}</dt>
          <dd>
            <Exact at={status.next_check_at} />
          </dd>
          <dt>{text.every}</dt>
          <dd>
            <IntervalChoice
              ids={{ 'aria-label': text.form.every }}
              minutes={minutes}
              onChange={(next) =>
                action.mutate({ run: () => changeInterval(zone.id, page.id, next), done: text.saved })
              }
            />
          </dd>
          {current !== null && current.final_url !== page.url && (
            <>
              <dt>{text.final}</dt>
              <dd className="mono">{current.final_url}</dd>
            </>
          )}
        </dl>
        <Problem error={action.error} />
      </div>
    </Section>
  )
}

function Headers({ snapshot: { headers } }: { readonly snapshot: WireSnapshot }) {
  return (
    <Section title={text.current} note={text.currentNote}>
      {headers.length === 0 ? (
        <p className="soft">{text.noHeaders}</p>
      ) : (
        <dl className="kv">
          {headers.map(({ name, value }, index) => (
            <Fragment key={`${index}${name}`}>
              <dt className="mono">{name}</dt>
              <dd className="mono">{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Section>
  )
}

function Scripts({ snapshot: { scripts, omitted_scripts: omitted } }: { readonly snapshot: WireSnapshot }) {
  return (
    <Section title={text.scripts} note={text.scriptsNote}>
      <div className="stack">
        {scripts === null && <p className="soft">{text.scriptsUnknown}</p>}
        {scripts?.length === 0 && <p className="soft">{text.noScripts}</p>}
        {scripts !== null && scripts.length > 0 && (
          <ol className="lines">
            {scripts.map((script, index) => (
              <li key={`${index}${scriptText(script)}`}>
                <span className="soft">{text.kinds[script.kind]}</span>{' '}
                <span className="mono">{scriptText(script)}</span>{' '}
                {script.integrity !== null && <span className="small note">{text.integrity}</span>}
              </li>
            ))}
          </ol>
        )}
        {omitted > 0 && <p className="soft">{text.omitted(omitted)}</p>}
      </div>
    </Section>
  )
}
