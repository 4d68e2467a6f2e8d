// The legacy firewall of a zone: managed rules in packages, firewall rules, page rules.
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import type { WireZone } from '../../api/zones.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { strings } from '../../strings.ts'
import { legacyStrings as text } from '../../strings/legacy-rules.ts'
import { FirewallRules, PageRules } from './other-rules.tsx'
import { Packages } from './packages.tsx'

const VIEWS = ['managed', 'firewall', 'pages'] as const
type View = (typeof VIEWS)[number]

export function LegacyScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/legacy-rules' })
  const view: View = VIEWS.find((known) => known === search.show) ?? 'managed'
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      <Views zone={zone} shown={view} />
      {view === 'managed' && <Packages key={zone.id} zone={zone} />}
      {view === 'firewall' && <FirewallRules zone={zone} />}
      {view === 'pages' && <PageRules zone={zone} />}
    </>
  )
}

function Views({ zone, shown }: { readonly zone: WireZone; readonly shown: View }) {
  return (
    <nav className="phases" aria-label={text.views.label}>
      {VIEWS.map((view) => (
        <Link
          key={view}
          to="/zones/$zone/legacy-rules"
          params={{ zone: zone.name }}
          search={view === 'managed' ? {} : { show: view }}
          activeOptions={{ exact: true }}
          aria-current={view === shown ? 'page' : undefined}
        >
          {text.views[view]}
        </Link>
      ))}
    </nav>
  )
}
