// The scripts of a zone: where each runs, how it scores, whether it is malicious.
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  csvPath,
  ITEMS_PER_PAGE,
  scriptsPage,
  type ScriptFilter,
  type WireScript,
} from '../../api/monitoring.ts'
import { authorizationsOf, type WireAuthorization } from '../../api/scripts.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { Score } from '../../parts/score.tsx'
import { parseTerms } from '../../parts/terms.ts'
import { Age, exactTime, monthOf } from '../../parts/time.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { monitoringStrings as text, observeCommand } from '../../strings/monitoring.ts'
import { scriptStrings } from '../../strings/scripts.ts'
import { isMalicious, ItemStatus, MaliciousMark, Pages } from './inventory-cells.tsx'
import { ORDERS, RESOURCE_GRAMMAR, resourceQuery } from './inventory-filter.ts'
import { InventoryScreen, type Measure } from './inventory-screen.tsx'
import { InventoryTabs } from './inventory-tabs.tsx'
import { splitUrl } from './inventory-url.ts'

const HEIGHTS = { wide: 48, narrow: 85 }
const EXAMPLE = 'https://cdn.example.net/app.js'

export function ScriptsScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/scripts' })
  const filter = useMemo(
    () => resourceQuery(parseTerms(search.q ?? '', RESOURCE_GRAMMAR), search), // no filter, no terms
    [search],
  )
  return (
    <InventoryScreen<WireScript>
      zone={zone}
      words={text.lists.scripts}
      grammar={RESOURCE_GRAMMAR}
      hint={text.resourceHint}
      hasStatus
      orders={ORDERS}
      page={(page) => scriptsPage(zone.id, filter, page)}
      heights={HEIGHTS}
      head={<Head />}
      columnCount={8}
      row={(script, index, measure) => (
        <ScriptRow key={index} zone={zone} script={script} filter={filter} index={index} measure={measure} />
      )}
      command={observeCommand(location.origin, zone.id, zone.name, { scripts: [EXAMPLE] })}
      tabs={<InventoryTabs zone={zone.name} of="code" />}
      acts={
        <a className="btn" href={csvPath(zone.id, 'scripts', filter)} download>
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
      <th>{text.columns.script}</th>
      <th className="w176">{text.columns.integrity}</th>
      <th className="w176">{text.columns.pages}</th>
      <th className="w88 num o1">{text.columns.firstSeen}</th>
      <th className="w88 num">{text.columns.lastSeen}</th>
      <th className="w120 o1">{text.columns.status}</th>
      <th className="w176">{text.columns.authorization}</th>
    </tr>
  </thead>
)

interface ScriptRowProps {
  readonly zone: WireZone
  readonly script: WireScript
  readonly filter: ScriptFilter
  readonly index: number
  readonly measure: Measure
}

function ScriptRow({ zone, script, filter, index, measure }: ScriptRowProps) {
  const { host, rest } = splitUrl(script.url)
  const isBad = isMalicious(script)
  const hasScore = typeof script.js_integrity_score === 'number'
  const authorization = useAuthorization(zone.id, script.id, filter, index)
  return (
    <tr ref={measure} className="two" data-index={index} aria-rowindex={index + 2}>
      <td className="m">
        <MaliciousMark isShown={isBad} />
        {!isBad && <ScriptMark authorization={authorization} hasScore={hasScore} />}
      </td>
      <td className="k1" title={script.url}>
        <Link
          className="mono go"
          to="/zones/$zone/scripts/$script"
          params={{ zone: zone.name, script: script.id }}
          aria-label={script.url}
        >
          {host}
        </Link>
        <br />
        <span className="mono soft">{rest}</span>
      </td>
      <td className="k2">
        <Score value={script.js_integrity_score} />
      </td>
      <td className="k4 soft">
        <Pages item={script} />
      </td>
      <td className="num soft o1">
        <Age at={script.first_seen_at} />
      </td>
      <td className="num soft">
        <Age at={script.last_seen_at} />
      </td>
      <td className="o1">
        <ItemStatus status={script.status} isBad={isBad} />
      </td>
      <td className="k3">
        <Authorization found={authorization} />
      </td>
    </tr>
  )
}

/** What the authorization of a script says of its content: null without one, undefined until it is read. */
type ScriptAuthorization = WireAuthorization | null | undefined

/** The authorizations of a page of the list are asked for at once. */
function useAuthorization(
  zoneId: string,
  scriptId: string,
  filter: ScriptFilter,
  index: number,
): ScriptAuthorization {
  const page = scriptsPage(zoneId, filter, Math.floor(index / ITEMS_PER_PAGE) + 1)
  const { data: ids = [] } = useQuery({ ...page, select: idsOf })
  const { data: authorizations } = useQuery(authorizationsOf(zoneId, ids))
  return authorizations === undefined ? undefined : (authorizations.get(scriptId) ?? null)
}

interface ScriptMarkProps {
  readonly authorization: ScriptAuthorization
  readonly hasScore: boolean
}

/** In the margin: other content than the authorized one, or none that was fetched. */
function ScriptMark({ authorization, hasScore }: ScriptMarkProps) {
  if (authorization?.state === 'changed' || authorization?.state === 'bytes_changed')
    return (
      <span className="warn">
        <Icon name="change" />
      </span>
    )
  if (hasScore) return null
  return (
    <span className="dim">
      <Icon name="expected" />
    </span>
  )
}

function Authorization({ found }: { readonly found: ScriptAuthorization }) {
  if (found === undefined) return null
  if (found === null) return <StatusWord tone="off">{scriptStrings.authorizationNone}</StatusWord>
  if (found.state !== 'valid')
    return <StatusWord tone="warning">{scriptStrings.authorizationWords[found.state]}</StatusWord>
  const { expires_at: until } = found
  return (
    <span title={until === null ? undefined : exactTime(until)}>
      <StatusWord tone="normal">
        {until === null ? scriptStrings.authorizationWords.valid : scriptStrings.validUntil(monthOf(until))}
      </StatusWord>
    </span>
  )
}

const idsOf = ({ result }: { readonly result: readonly WireScript[] }): readonly string[] =>
  result.map(({ id }) => id)
