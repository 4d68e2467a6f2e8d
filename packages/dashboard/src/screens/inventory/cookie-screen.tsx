// One cookie: its attributes and the pages that it was seen on.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useParams } from '@tanstack/react-router'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
import { cookieOf, type WireCookie } from '../../api/monitoring.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { Exact } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { monitoringStrings } from '../../strings/monitoring.ts'
import { pagesIn } from './connection-screen.tsx'
import { CookieAttributes } from './cookie-attributes.tsx'
import { PagesSection } from './inventory-pages.tsx'

const text = monitoringStrings.detail

export function CookieScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { cookie: id } = useParams({ from: '/frame/zones/$zone/cookies/$cookie' })
  const found = useQuery(cookieOf(zone.id, id))
  return (
    <>
      <title>{`${monitoringStrings.lists.cookies.title} · ${zone.name} · ${strings.product}`}</title>
      {found.error !== null && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {found.data !== undefined && <Cookie cookie={found.data} />}
    </>
  )
}

function Cookie({ cookie }: { readonly cookie: WireCookie }) {
  useCrumbDetail(cookie.name)
  return (
    <>
      <PageHead name={cookie.name} intro={text.cookieOn(cookie.host)} />
      <Section title={text.facts}>
        <dl className="kv">
          <dt>{text.setBy}</dt>
          <dd>{monitoringStrings.cookieTypes[cookie.type]}</dd>
          {cookie.type === 'first_party' && (
            <>
              <dt>{text.attributes}</dt>
              <dd>
                <CookieAttributes cookie={cookie} />
              </dd>
            </>
          )}
          <dt>{text.domain}</dt>
          <dd className="mono">{cookie.domain_attribute}</dd>
          <dt>{text.path}</dt>
          <dd className="mono">{cookie.path_attribute}</dd>
          <Lifetime cookie={cookie} />
          <dt>{text.firstSeen}</dt>
          <dd>
            <Exact at={cookie.first_seen_at} />
          </dd>
          <dt>{text.lastSeen}</dt>
          <dd>
            <Exact at={cookie.last_seen_at} />
          </dd>
        </dl>
      </Section>
      <PagesSection pages={pagesIn(cookie.page_urls)} />
    </>
  )
}

function Lifetime({ cookie }: { readonly cookie: WireCookie }) {
  const { expires_attribute: expires, max_age_attribute: maxAge } = cookie
  if (typeof maxAge === 'number')
    return (
      <>
        <dt>{text.maxAge}</dt>
        <dd>{text.seconds(maxAge)}</dd>
      </>
    )
  return (
    <>
      <dt>{text.expires}</dt>
      <dd>{typeof expires === 'string' ? <Exact at={expires} /> : text.session}</dd>
    </>
  )
}
