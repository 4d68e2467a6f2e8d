// What policies blocked or would have blocked, and when in the last thirty days.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  policiesOf,
  violationsPage,
  type ViolationFilter,
  type WirePolicy,
  type WireViolation,
} from '../../api/policies.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { parseTerms, type Grammar, type ParsedTerms } from '../../parts/terms.ts'
import { Age, dateTime } from '../../parts/time.tsx'
import { numberText } from '../../strings.ts'
import { headersCommand, policyStrings } from '../../strings/policies.ts'
import { InventoryScreen, type Measure } from '../inventory/inventory-screen.tsx'
import { splitUrl } from '../inventory/inventory-url.ts'
import { nameOf } from './policies-screen.tsx'

const text = policyStrings.violations
const HEIGHTS = { wide: 48, narrow: 107 }
const GRAMMAR: Grammar<'directive' | 'policy'> = { fields: ['directive', 'policy'], negatable: [] }

export function ViolationsScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { q } = useSearch({ from: '/frame/zones/$zone/violations' })
  const policies = useQuery(policiesOf(zone.id))
  const filter = useMemo(() => filterOf(parseTerms(q ?? '', GRAMMAR)), [q]) // no filter, no terms
  return (
    <InventoryScreen<WireViolation>
      zone={zone}
      words={text}
      grammar={GRAMMAR}
      hint={text.hint}
      hasStatus={false}
      orders={[]}
      page={(page) => violationsPage(zone.id, filter, page)}
      heights={HEIGHTS}
      head={<Head />}
      columnCount={7}
      row={(violation, index, measure) => (
        <ViolationRow
          key={index}
          zone={zone.name}
          violation={violation}
          policy={policies.data?.find(({ id }) => id === violation.policy_id)}
          index={index}
          measure={measure}
        />
      )}
      command={headersCommand(location.origin, zone.id, zone.name)}
    />
  )
}

/** The last term of a field counts. */
function filterOf({ terms }: ParsedTerms<'directive' | 'policy'>): ViolationFilter {
  const value = (name: 'directive' | 'policy') => terms.findLast(({ field }) => field === name)?.value
  const directive = value('directive')
  const policy = value('policy')
  return {
    ...(directive !== undefined && { directive }),
    ...(policy !== undefined && { policy_id: policy }),
  }
}

const Head = () => (
  <thead>
    <tr>
      <MarkHead />
      <th>{text.columns.resource}</th>
      <th className="w152">{text.columns.directive}</th>
      <th className="w176">{text.columns.policy}</th>
      <th className="w152 o1">{text.columns.time}</th>
      <th className="w88 num">{text.columns.last}</th>
      <th className="w88 num">{text.columns.count}</th>
    </tr>
  </thead>
)

interface ViolationRowProps {
  readonly zone: string
  readonly violation: WireViolation
  readonly policy: WirePolicy | undefined
  readonly index: number
  readonly measure: Measure
}

function ViolationRow({ zone, violation, policy, index, measure }: ViolationRowProps) {
  const { host, rest } = splitUrl(violation.url)
  return (
    <tr ref={measure} className="two" data-index={index} aria-rowindex={index + 2}>
      <td className="m" />
      <td className="k1" title={violation.url}>
        <span className="mono go">{host === '' ? text.more : host}</span>
        <br />
        <span className="mono soft">{rest === '' ? violation.last_page_url : rest}</span>
      </td>
      <td className="k3 mono soft">{violation.directive}</td>
      <td className="k4">
        {policy !== undefined && (
          <Link className="link" to="/zones/$zone/policies/$policy" params={{ zone, policy: policy.id }}>
            {nameOf(policy)}
          </Link>
        )}
        <br />
        <span className="soft">{violation.action === 'allow' ? text.enforced : text.logged}</span>
      </td>
      <td className="o1">
        <Span violation={violation} />
      </td>
      <td className="num soft">
        <Age at={violation.last_seen_at} />
      </td>
      <td className="k2 num">{numberText(violation.count)}</td>
    </tr>
  )
}

const DAYS = 30
const DAY_MILLIS = 86_400_000
const WIDTH = 120

/** From the first report to the last, on a rule of thirty days that ends now. */
function Span({
  violation: { first_seen_at: first, last_seen_at: last },
}: {
  readonly violation: WireViolation
}) {
  const placeOf = (at: string): number => {
    const days = (Date.now() - Date.parse(at)) / DAY_MILLIS
    return Math.max(0, WIDTH - (days / DAYS) * WIDTH)
  }
  const from = Math.min(placeOf(first), WIDTH - 3)
  const to = Math.max(placeOf(last), from + 3)
  return (
    <svg
      className="span30"
      viewBox={`0 0 ${WIDTH} 14`}
      role="img"
      aria-label={text.span(dateTime(first), dateTime(last))}
    >
      <path className="base" d={`M0 7h${WIDTH}`} />
      <path className="run" d={`M${from} 7H${to}`} />
    </svg>
  )
}
