// The dashboard's URLs. A zone stands in them by its name; filter, order and open row are in the query.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { currentSession } from '../api/session.ts'
import { zoneNamed } from '../api/zones.ts'
import { Failure, Loading } from '../parts/states.tsx'
import { UnknownZone } from '../screens/zones/unknown-zone.tsx'
import { ZonesScreen } from '../screens/zones/zones-screen.tsx'
import { strings } from '../strings.ts'
import { firewallRoutes } from './firewall-routes.tsx'
import { migrationRoutes } from './migration-routes.tsx'
import { monitoringRoutes } from './monitoring-routes.tsx'
import { pickSearch, readSearch, writeSearch } from './search.ts'
import { Shell } from './shell.tsx'

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet })

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search) => pickSearch(search, ['to', 'code', 'state', 'iss', 'error']),
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(currentSession)
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
    return { session }
  },
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/zones', replace: true })
  },
})

const zonesRoute = createRoute({
  getParentRoute: () => frame,
  path: '/zones',
  validateSearch: (search) => pickSearch(search, ['q', 'status', 'sort', 'attention', 'add']),
  component: ZonesScreen,
})

const tokens = createRoute({
  getParentRoute: () => frame,
  path: '/tokens',
  validateSearch: (search) => pickSearch(search, ['token', 'add']),
  component: lazyRouteComponent(() => import('../screens/tokens/tokens-screen.tsx'), 'TokensScreen'),
})

const users = createRoute({
  getParentRoute: () => frame,
  path: '/users',
  validateSearch: (search) => pickSearch(search, ['user', 'add']),
  component: lazyRouteComponent(() => import('../screens/users/users-screen.tsx'), 'UsersScreen'),
})

const audit = createRoute({
  getParentRoute: () => frame,
  path: '/audit',
  validateSearch: (search) => pickSearch(search, ['q', 'since', 'before', 'account', 'entry']),
  component: lazyRouteComponent(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
})

const feeds = createRoute({
  getParentRoute: () => frame,
  path: '/feeds',
  validateSearch: (search) => pickSearch(search, ['feed', 'add']),
  component: lazyRouteComponent(() => import('../screens/feeds/feeds-screen.tsx'), 'FeedsScreen'),
})

const webhooks = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks',
  validateSearch: (search) => pickSearch(search, ['account']),
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
})

const catalogs = createRoute({
  getParentRoute: () => frame,
  path: '/catalogs',
  validateSearch: (search) => pickSearch(search, ['account']),
  component: lazyRouteComponent(() => import('../screens/catalogs/catalogs-screen.tsx'), 'CatalogsScreen'),
})

const catalog = createRoute({
  getParentRoute: () => frame,
  path: '/catalogs/$catalog',
  validateSearch: (search) => pickSearch(search, ['account']),
  component: lazyRouteComponent(() => import('../screens/catalogs/catalog-screen.tsx'), 'CatalogScreen'),
})

const health = createRoute({
  getParentRoute: () => frame,
  path: '/health',
  component: lazyRouteComponent(() => import('../screens/health/health-screen.tsx'), 'HealthScreen'),
})

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  validateSearch: (search) => pickSearch(search, ['q', 'set']),
  component: lazyRouteComponent(() => import('../screens/settings/settings-screen.tsx'), 'SettingsScreen'),
})

const account = createRoute({
  getParentRoute: () => frame,
  path: '/account',
  component: lazyRouteComponent(() => import('../screens/account/account-screen.tsx'), 'AccountScreen'),
})

const zone = createRoute({
  getParentRoute: () => frame,
  path: '/zones/$zone',
  loader: async ({ context, params }) => {
    const found = await context.queries.ensureQueryData(zoneNamed(params.zone))
    if (found === null) throw notFound()
    return found
  },
  notFoundComponent: UnknownZone,
  component: Outlet,
})

const overview = createRoute({
  getParentRoute: () => zone,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/overview/overview-screen.tsx'), 'OverviewScreen'),
})

const records = createRoute({
  getParentRoute: () => zone,
  path: '/records',
  validateSearch: (search) => pickSearch(search, ['q', 'sort', 'edit']),
  component: lazyRouteComponent(() => import('../screens/records/records-screen.tsx'), 'RecordsScreen'),
})

const zoneText = createRoute({
  getParentRoute: () => zone,
  path: '/records/text',
  component: lazyRouteComponent(() => import('../screens/zone-text/zone-text-screen.tsx'), 'ZoneTextScreen'),
})

const history = createRoute({
  getParentRoute: () => zone,
  path: '/history',
  validateSearch: (search) =>
    pickSearch(search, ['change', 'from', 'to', 'compare', 'q', 'actor', 'kind', 'since', 'before']),
  component: lazyRouteComponent(() => import('../screens/history/history-screen.tsx'), 'HistoryScreen'),
})

const dnssec = createRoute({
  getParentRoute: () => zone,
  path: '/dnssec',
  component: lazyRouteComponent(() => import('../screens/dnssec/dnssec-screen.tsx'), 'DnssecScreen'),
})

const transfers = createRoute({
  getParentRoute: () => zone,
  path: '/transfers',
  component: lazyRouteComponent(() => import('../screens/transfers/transfers-screen.tsx'), 'TransfersScreen'),
})

const answers = createRoute({
  getParentRoute: () => zone,
  path: '/query',
  validateSearch: (search) => pickSearch(search, ['name', 'type']),
  component: lazyRouteComponent(() => import('../screens/answers/answers-screen.tsx'), 'AnswersScreen'),
})

const dnsSettings = createRoute({
  getParentRoute: () => zone,
  path: '/dns-settings',
  component: lazyRouteComponent(
    () => import('../screens/dns-settings/dns-settings-screen.tsx'),
    'DnsSettingsScreen',
  ),
})

const routeTree = root.addChildren([
  signInRoute,
  frame.addChildren([
    home,
    zonesRoute,
    tokens,
    users,
    audit,
    feeds,
    webhooks,
    catalogs,
    catalog,
    health,
    settings,
    account,
    zone.addChildren([
      overview,
      records,
      zoneText,
      history,
      dnssec,
      transfers,
      answers,
      dnsSettings,
      ...firewallRoutes(zone),
      ...migrationRoutes(zone),
      ...monitoringRoutes(zone),
    ]),
  ]),
])

export function createDashboardRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
    defaultNotFoundComponent: () => <Failure error={new Error(strings.states.noPage)} />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
