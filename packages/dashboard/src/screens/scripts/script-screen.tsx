// One script: its scores with their reasons, contents and versions, pages, and who authorized it.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useParams } from '@tanstack/react-router'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
import type { WireScript } from '../../api/monitoring.ts'
import {
  authorizationOf,
  contentsOf,
  explanationOf,
  fetchScript,
  scriptOf,
  type WireExplanation,
} from '../../api/scripts.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { DateTime } from '../../parts/time.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { monitoringStrings } from '../../strings/monitoring.ts'
import { scriptStrings as text } from '../../strings/scripts.ts'
import { pagesIn } from '../inventory/connection-screen.tsx'
import { PagesSection } from '../inventory/inventory-pages.tsx'
import { fileOf, splitUrl } from '../inventory/inventory-url.ts'
import { AuthorizationSection } from './authorization-section.tsx'
import { ContentDiff } from './content-diff.tsx'
import { ContentSection, VersionSection } from './content-sections.tsx'
import { IntegritySection } from './integrity-section.tsx'

export function ScriptScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { script: id } = useParams({ from: '/frame/zones/$zone/scripts/$script' })
  const seen = useQuery(scriptOf(zone.id, id))
  const explanation = useQuery(explanationOf(zone.id, id))
  const contents = useQuery(contentsOf(zone.id, id))
  const authorization = useQuery(authorizationOf(zone.id, id))
  const failed = [seen, explanation, contents, authorization].find(({ error }) => error !== null)
  return (
    <>
      <title>{`${monitoringStrings.lists.scripts.title} · ${zone.name} · ${strings.product}`}</title>
      {failed !== undefined && failed.error !== null && (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {failed === undefined && (seen.isPending || explanation.isPending) && <Loading />}
      {seen.data !== undefined && explanation.data !== undefined && (
        <>
          <Head zone={zone} script={seen.data} />
          <Malicious explanation={explanation.data} />
          <IntegritySection explanation={explanation.data} />
        </>
      )}
      {contents.data !== undefined && (
        <>
          <ContentSection contents={contents.data} fetchedAt={explanation.data?.fetched_at} />
          <ContentDiff zone={zone} scriptId={id} history={contents.data.history} />
          <VersionSection contents={contents.data} />
        </>
      )}
      {seen.data !== undefined && <PagesSection pages={pagesIn(seen.data.page_urls)} />}
      {authorization.data !== undefined && contents.data !== undefined && (
        <AuthorizationSection
          zone={zone}
          scriptId={id}
          authorization={authorization.data}
          contentSha256={contents.data.content_sha256}
        />
      )}
    </>
  )
}

function Head({ zone, script }: { readonly zone: WireZone; readonly script: WireScript }) {
  const action = useZoneAction(zone.id)
  const { host, rest } = splitUrl(script.url)
  const { detail, statuses } = monitoringStrings
  useCrumbDetail(fileOf(script.url))
  return (
    <>
      <PageHead
        name={`${host}${rest}`}
        wholeName={script.url}
        intro={
          <>
            {text.summary(pagesIn(script.page_urls).length, statuses[script.status])} {detail.firstSeen}{' '}
            <DateTime at={script.first_seen_at} />, {detail.lastSeen.toLowerCase()}{' '}
            <DateTime at={script.last_seen_at} />.
          </>
        }
      >
        <button
          type="button"
          className="btn"
          disabled={action.isPending}
          onClick={() => action.mutate({ run: () => fetchScript(zone.id, script.id), done: text.fetching })}
        >
          {text.fetchNow}
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

function Malicious({ explanation }: { readonly explanation: WireExplanation }) {
  if (!explanation.malicious) return null
  const { because, js_integrity_score: score } = explanation
  const isByScore = because.includes('js_integrity_score') && typeof score === 'number'
  return (
    <div className="callout b">
      <span className="bad">
        <Icon name="wrong" />
      </span>
      <span>
        <b>{isByScore ? text.malicious.score(score) : monitoringStrings.detail.maliciousHead}</b>{' '}
        {isByScore && text.malicious.scoreDetail} {because.includes('domain') && text.malicious.domain}{' '}
        {because.includes('url') && text.malicious.url}
      </span>
    </div>
  )
}
