// The navigation: zones, the pages of the last zone, the server. Its counters are facts.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { migrationStatus } from '../api/migration.ts'
import { currentSession } from '../api/session.ts'
import { outgoingProgress } from '../api/transfers.ts'
import { recordUsage, zoneCount, zoneNamed, zoneSummary } from '../api/zones.ts'
import { PHASES } from '../screens/rules/phase-names.ts'
import { numberText, strings } from '../strings.ts'

const DNS_PAGES = [
  { to: '/zones/$zone/dnssec', name: strings.dnsPages.dnssec },
  { to: '/zones/$zone/transfers', name: strings.dnsPages.transfers },
  { to: '/zones/$zone/query', name: strings.dnsPages.query },
  { to: '/zones/$zone/dns-settings', name: strings.dnsPages.settings },
] as const

const MONITORING_PAGES = [
  { to: '/zones/$zone/scripts', name: strings.monitoringPages.scripts },
  { to: '/zones/$zone/connections', name: strings.monitoringPages.connections },
  { to: '/zones/$zone/cookies', name: strings.monitoringPages.cookies },
  { to: '/zones/$zone/pages', name: strings.monitoringPages.pages },
  { to: '/zones/$zone/policies', name: strings.monitoringPages.policies },
  { to: '/zones/$zone/violations', name: strings.monitoringPages.violations },
  { to: '/zones/$zone/monitoring', name: strings.monitoringPages.settings },
] as const

interface NavigationProps {
  readonly zone: string | undefined
  readonly isOpen: boolean
  readonly onChosen: () => void
}

export function Navigation({ zone, isOpen, onChosen }: NavigationProps) {
  return (
    <nav
      id="navigation"
      className={isOpen ? 'side open' : 'side'}
      aria-label={strings.shell.navigation}
      onClick={onChosen}
    >
      <Link to="/zones" activeOptions={{ exact: true, includeSearch: false }}>
        {strings.zones.title}
        <ZoneCount />
      </Link>
      {zone !== undefined && (
        <>
          <h2 className="clip">{zone}</h2>
          <Link to="/zones/$zone" params={{ zone }} activeOptions={{ exact: true }}>
            {strings.overview.title}
          </Link>
          <Link to="/zones/$zone/records" params={{ zone }} activeOptions={{ includeSearch: false }}>
            {strings.records.title}
            <RecordCount zone={zone} />
          </Link>
          <Link to="/zones/$zone/history" params={{ zone }} activeOptions={{ includeSearch: false }}>
            {strings.history.title}
          </Link>
          {DNS_PAGES.map(({ to, name }) => (
            <Link key={to} to={to} params={{ zone }} activeOptions={{ includeSearch: false }}>
              {name}
              {to === '/zones/$zone/transfers' && <CurrentSecondaries zone={zone} />}
            </Link>
          ))}
        </>
      )}
      {zone !== undefined && (
        <>
          <h2>{strings.monitoringPages.title}</h2>
          {MONITORING_PAGES.map(({ to, name }) => (
            <Link key={to} to={to} params={{ zone }} activeOptions={{ includeSearch: false }}>
              {name}
              {to === '/zones/$zone/scripts' && <Malicious zone={zone} of="scripts" />}
              {to === '/zones/$zone/connections' && <Malicious zone={zone} of="connections" />}
            </Link>
          ))}
        </>
      )}
      {zone !== undefined && <FirewallLinks zone={zone} />}
      <h2>{strings.shell.server}</h2>
      <Link to="/tokens" activeOptions={{ includeSearch: false }}>
        {strings.shell.tokens}
      </Link>
      <CatalogsLink />
      <AdministratorLinks />
      <a href="/docs">{strings.shell.docs}</a>
    </nav>
  )
}

/** Only if some are behind, and from what the status line or a page has read already. */
function CurrentSecondaries({ zone }: { readonly zone: string }) {
  const { data: found } = useQuery({ ...zoneNamed(zone), enabled: false })
  const { data: progress } = useQuery({ ...outgoingProgress(found?.id ?? 'none'), enabled: false })
  if (progress?.enabled !== true) return null
  const current = progress.peers.filter(({ state }) => state !== 'behind').length
  if (current === progress.peers.length) return null
  return (
    <span className="warn">
      {strings.status.current(current, progress.peers.length)}
      <span className="vh"> {strings.status.currentWords(progress.peers.length)}</span>
    </span>
  )
}

/** Asked for once a minute, and after a write in the zone. */
function useSummary(zone: string) {
  const { data: found } = useQuery(zoneNamed(zone))
  return useQuery({ ...zoneSummary(found?.id ?? 'none'), enabled: found?.id !== undefined }).data
}

interface MaliciousProps {
  readonly zone: string
  readonly of: 'scripts' | 'connections'
}

/** Only if there is any. The page of connections has frames, images and form targets, too. */
function Malicious({ zone, of }: MaliciousProps) {
  const monitoring = useSummary(zone)?.monitoring
  if (monitoring === undefined || monitoring === null) return null
  const { malicious, malicious_scripts: scripts } = monitoring
  const count = of === 'scripts' ? scripts : malicious - scripts
  if (count === 0) return null
  return (
    <span className="bad">
      {numberText(count)} {strings.monitoringPages.malicious}
    </span>
  )
}

function RuleCount({ zone }: { readonly zone: string }) {
  const rules = useSummary(zone)?.rules
  if (rules === undefined || rules === null) return null
  const count = Object.values(PHASES).reduce((sum, phase) => sum + (rules[phase] ?? 0), 0) // none in this phase
  return count === 0 ? null : <span>{numberText(count)}</span>
}

/** The step is what a page of the zone has read already. */
function FirewallLinks({ zone }: { readonly zone: string }) {
  const { data: found } = useQuery({ ...zoneNamed(zone), enabled: false })
  const { data: status } = useQuery({ ...migrationStatus(found?.id ?? 'none'), enabled: false })
  return (
    <>
      <h2>{strings.firewallPages.title}</h2>
      <Link to="/zones/$zone/rules" params={{ zone }} activeOptions={{ includeSearch: false }}>
        {strings.firewallPages.rules}
        <RuleCount zone={zone} />
      </Link>
      <Link to="/zones/$zone/activity" params={{ zone }} activeOptions={{ includeSearch: false }}>
        {strings.firewallPages.activity}
      </Link>
      <Link to="/zones/$zone/trace" params={{ zone }} activeOptions={{ includeSearch: false }}>
        {strings.firewallPages.trace}
      </Link>
      <Link to="/zones/$zone/managed-rules" params={{ zone }}>
        {strings.firewallPages.managedRules}
      </Link>
      <Link to="/zones/$zone/legacy-rules" params={{ zone }} activeOptions={{ includeSearch: false }}>
        {strings.firewallPages.legacyRules}
      </Link>
      <Link to="/zones/$zone/migration" params={{ zone }}>
        {strings.firewallPages.migration}
        {status !== undefined && <span>{strings.firewallPages.steps[status.migration_state]}</span>}
      </Link>
    </>
  )
}

/** Catalog zones are those of accounts: roles on single zones do not show them. */
function CatalogsLink() {
  const { data: session } = useQuery(currentSession)
  if (session?.role === undefined || session.role === null) return null
  return (
    <Link to="/catalogs" activeOptions={{ includeSearch: false }}>
      {strings.shell.catalogs}
    </Link>
  )
}

/** Others may not see what these pages show. */
function AdministratorLinks() {
  const { data: session } = useQuery(currentSession)
  if (session?.role !== 'owner' && session?.role !== 'admin') return null
  return (
    <>
      <Link to="/users" activeOptions={{ includeSearch: false }}>
        {strings.shell.users}
      </Link>
      <Link to="/feeds" activeOptions={{ includeSearch: false }}>
        {strings.shell.feeds}
      </Link>
      <Link to="/webhooks" activeOptions={{ includeSearch: false }}>
        {strings.shell.webhooks}
      </Link>
      <Link to="/audit" activeOptions={{ includeSearch: false }}>
        {strings.shell.audit}
      </Link>
      <Link to="/health">{strings.shell.health}</Link>
      <Link to="/settings" activeOptions={{ includeSearch: false }}>
        {strings.shell.settings}
      </Link>
    </>
  )
}

function ZoneCount() {
  const { data: count } = useQuery(zoneCount)
  return count === undefined ? null : <span>{numberText(count)}</span>
}

function RecordCount({ zone }: { readonly zone: string }) {
  const { data: found } = useQuery(zoneNamed(zone))
  const { data: count } = useQuery({ ...recordUsage(found?.id ?? 'none'), enabled: found?.id !== undefined })
  return count === undefined ? null : <span>{numberText(count)}</span>
}
