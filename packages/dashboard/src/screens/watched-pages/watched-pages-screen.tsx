// The watched pages of a zone: which differ from what is deployed, and which cannot be checked.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData } from '@tanstack/react-router'
import { useState } from 'react'
import { watchedPagesOf, type WireWatchedPage } from '../../api/watched-pages.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { Age, Until } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { watchedPageStrings as text } from '../../strings/watched-pages.ts'
import { MonitoringOff } from '../inventory/inventory-screen.tsx'
import { NewPage } from './new-page.tsx'

export function WatchedPagesScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const pages = useQuery(watchedPagesOf(zone.id))
  const [isAdding, setAdding] = useState(false)
  const add = (): void => setAdding(true)
  useShortcuts({ n: add })
  const addButton = (
    <button type="button" className="btn primary" onClick={add}>
      {text.add} <kbd>n</kbd>
    </button>
  )
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro}>
        {addButton}
      </PageHead>
      <MonitoringOff zone={zone} />
      {isAdding && <NewPage zone={zone} onClose={() => setAdding(false)} />}
      {pages.error !== null && <Failure error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Loading />}
      {pages.data?.length === 0 && !isAdding && (
        <Empty
          headline={text.none}
          detail={text.noneDetail}
          command={firstPageCommand(location.origin, zone.id, zone.name)}
        >
          {addButton}
        </Empty>
      )}
      {pages.data !== undefined && pages.data.length > 0 && (
        <table className="reg inventory watched">
          <thead>
            <tr>
              <MarkHead />
              <th>{text.columns.url}</th>
              <th className="w232">{text.columns.state}</th>
              <th className="w104 num">{text.columns.changed}</th>
              <th className="w104 num o1">{text.columns.checked}</th>
              <th className="w104 num o1">{text.columns.next}</th>
            </tr>
          </thead>
          <tbody>
            {pages.data.map((page) => (
              <PageRow key={page.id} zone={zone.name} page={page} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function PageRow({ zone, page }: { readonly zone: string; readonly page: WireWatchedPage }) {
  const { url, status, current } = page
  return (
    <tr>
      <td className="m warn">{isConspicuous(page) && <Icon name="warning" />}</td>
      <td className="k1" title={url}>
        <Link className="mono go" to="/zones/$zone/pages/$page" params={{ zone, page: page.id }}>
          {url}
        </Link>
      </td>
      <td className="k3">
        <PageState page={page} />
      </td>
      <td className="k2 num soft">{current === null ? text.never : <Age at={current.first_seen_at} />}</td>
      <td className="num soft o1">
        {status.checked_at === null ? text.never : <Age at={status.checked_at} />}
      </td>
      <td className="num soft o1">
        <Until at={status.next_check_at} />
      </td>
    </tr>
  )
}

const isConspicuous = ({ status, current }: WireWatchedPage): boolean =>
  status.failures > 0 || (current !== null && current.missing_policies.length > 0)

export function PageState({ page: { status, current } }: { readonly page: WireWatchedPage }) {
  if (status.failures > 0)
    return <StatusWord tone="warning">{text.states.failing(status.failures)}</StatusWord>
  if (current === null) return <StatusWord tone="expected">{text.states.waiting}</StatusWord>
  if (current.missing_policies.length > 0)
    return <StatusWord tone="warning">{text.states.drift(current.missing_policies.length)}</StatusWord>
  return <StatusWord tone="normal">{text.states.same}</StatusWord>
}

const firstPageCommand = (origin: string, zoneId: string, zone: string): string =>
  `curl ${origin}/client/v4/zonereeve/zones/${zoneId}/page_shield/pages \\
  -H "authorization: Bearer $TOKEN" --json '{"url": "https://${zone}/checkout"}'`
