// The phases of the zone's rules as tabs, in the order of evaluation, with how many rules each has.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { zoneSummary, type WireZone } from '../../api/zones.ts'
import { numberText } from '../../strings.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { PHASES } from './phase-names.ts'

const TABS = [
  { name: 'redirects', to: '/zones/$zone/rules/redirects' },
  { name: 'custom', to: '/zones/$zone/rules' },
  { name: 'rates', to: '/zones/$zone/rules/rate-limits' },
  { name: 'managed', to: '/zones/$zone/managed-rules' },
] as const

export function Phases({ zone }: { readonly zone: WireZone }) {
  const { data: summary } = useQuery(zoneSummary(zone.id))
  const tabs = useRef<HTMLElement>(null)
  // On narrow screens the last ones are beyond the edge. With the counts, tabs are wider.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>('[aria-current]')
    if (current !== undefined && current !== null) tabs.current?.scrollTo({ left: current.offsetLeft })
  }, [summary])
  return (
    <nav ref={tabs} className="phases" aria-label={text.phases.label}>
      {TABS.map(({ name, to }) => (
        <Link
          key={name}
          to={to}
          params={{ zone: zone.name }}
          activeOptions={{ exact: name === 'custom', includeSearch: false }}
        >
          {text.phases[name]}{' '}
          {summary?.rules !== undefined && summary.rules !== null && (
            <Count rules={summary.rules[PHASES[name]] ?? 0} /> // a phase without rules has no entry
          )}
        </Link>
      ))}
    </nav>
  )
}

const Count = ({ rules }: { readonly rules: number }) => (
  <span className="mono dim">
    {numberText(rules)}
    <span className="vh"> {text.phases.counted(rules)}</span>
  </span>
)
