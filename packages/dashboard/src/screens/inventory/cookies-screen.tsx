// The cookies of a zone's pages, with what protects them.
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { cookiesPage, csvPath, type WireCookie } from '../../api/monitoring.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { parseTerms } from '../../parts/terms.ts'
import { Age } from '../../parts/time.tsx'
import { monitoringStrings as text, observeCommand } from '../../strings/monitoring.ts'
import { CookieAttributes } from './cookie-attributes.tsx'
import { COOKIE_GRAMMAR, COOKIE_ORDERS, cookieQuery } from './inventory-filter.ts'
import { InventoryScreen } from './inventory-screen.tsx'

const HEIGHTS = { wide: 32, narrow: 85 }
const EXAMPLE = 'session=; Secure; HttpOnly; SameSite=Lax'

export function CookiesScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/cookies' })
  const filter = useMemo(() => cookieQuery(parseTerms(search.q ?? '', COOKIE_GRAMMAR), search), [search]) // no filter, no terms
  return (
    <InventoryScreen<WireCookie>
      zone={zone}
      words={text.lists.cookies}
      grammar={COOKIE_GRAMMAR}
      hint={text.cookieHint}
      hasStatus={false}
      orders={COOKIE_ORDERS}
      page={(page) => cookiesPage(zone.id, filter, page)}
      heights={HEIGHTS}
      head={<Head />}
      columnCount={6}
      row={(cookie, index, measure) => (
        <tr key={index} ref={measure} data-index={index} aria-rowindex={index + 2}>
          <td className="m" />
          <td className="k1">
            <Link
              className="mono go"
              to="/zones/$zone/cookies/$cookie"
              params={{ zone: zone.name, cookie: cookie.id }}
            >
              {cookie.name}
            </Link>
          </td>
          <td className="k4 mono soft">{cookie.host}</td>
          <td className="k3">
            <CookieAttributes cookie={cookie} />
          </td>
          <td className="soft">{text.cookieTypes[cookie.type]}</td>
          <td className="k2 num soft">
            <Age at={cookie.last_seen_at} />
          </td>
        </tr>
      )}
      command={observeCommand(location.origin, zone.id, zone.name, { set_cookie: [EXAMPLE] })}
      acts={
        <a className="btn" href={csvPath(zone.id, 'cookies', filter)} download>
          {text.csv}
        </a>
      }
    />
  )
}

const Head = () => (
  <thead>
    <tr>
      <MarkHead />
      <th>{text.columns.cookie}</th>
      <th className="w232">{text.columns.host}</th>
      <th className="w320">{text.columns.attributes}</th>
      <th className="w104">{text.columns.type}</th>
      <th className="w104 num">{text.columns.lastSeen}</th>
    </tr>
  </thead>
)
