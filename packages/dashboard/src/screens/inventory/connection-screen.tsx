// One connection: where pages open it, since when, whether a threat feed lists it.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useParams } from '@tanstack/react-router'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
import { connectionOf, type WireConnection } from '../../api/monitoring.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { Exact } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { monitoringStrings } from '../../strings/monitoring.ts'
import { FeedCallout } from './feed-callout.tsx'
import { isMalicious, ItemStatus } from './inventory-cells.tsx'
import { PagesSection } from './inventory-pages.tsx'
import { bareUrl } from './inventory-url.ts'

const text = monitoringStrings.detail

export function ConnectionScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { connection: id } = useParams({ from: '/frame/zones/$zone/connections/$connection' })
  const found = useQuery(connectionOf(zone.id, id))
  return (
    <>
      <title>{`${monitoringStrings.lists.connections.title} · ${zone.name} · ${strings.product}`}</title>
      {found.error !== null && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {found.data !== undefined && <Connection connection={found.data} />}
    </>
  )
}

function Connection({ connection }: { readonly connection: WireConnection }) {
  useCrumbDetail(bareUrl(connection.url))
  return (
    <>
      <PageHead name={connection.url} intro={text.connectionOn(connection.host)} />
      <FeedCallout item={connection} />
      <Section title={text.facts}>
        <dl className="kv">
          <dt>{text.status}</dt>
          <dd>
            <ItemStatus status={connection.status} isBad={isMalicious(connection)} />
          </dd>
          <dt>{text.firstSeen}</dt>
          <dd>
            <Exact at={connection.first_seen_at} />
          </dd>
          <dt>{text.lastSeen}</dt>
          <dd>
            <Exact at={connection.last_seen_at} />
          </dd>
          {connection.first_page_url !== undefined && (
            <>
              <dt>{text.firstPage}</dt>
              <dd className="mono">{connection.first_page_url}</dd>
            </>
          )}
        </dl>
      </Section>
      <PagesSection pages={pagesIn(connection.page_urls)} />
    </>
  )
}

/** Connections of old reports have none. */
export const pagesIn = (pages: readonly string[] | undefined): readonly string[] =>
  pages === undefined ? [] : pages
