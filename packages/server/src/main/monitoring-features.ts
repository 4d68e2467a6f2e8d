// Wires the features of client-side monitoring: inventory, policies, threat feeds, webhooks and e-mail alerts.
import type { EdgePages } from '../features/firewall/edge/index.ts'
import {
  createPageShield,
  foundResources,
  pageShieldExtensionRoutes,
  pageShieldLoadsRoutes,
  pageShieldSourceRoutes,
  pageShieldRoutes,
  type Observation,
} from '../features/monitoring/page-shield/index.ts'
import type { SeenCookie } from '@zonereeve/edge'
import {
  accountWebhookChannel,
  accountWebhookRoutes,
  createAccountWebhooks,
} from '../features/monitoring/account-webhooks/index.ts'
import {
  createPageShieldPolicies,
  createPolicyTools,
  pageShieldPolicyRoutes,
} from '../features/monitoring/page-shield-policies/index.ts'
import { createDeliveries } from '@zonereeve/alerts'
import {
  createEmailAlerts,
  emailChannel,
  pageShieldEmailAlertRoutes,
} from '../features/monitoring/page-shield-email-alerts/index.ts'
import {
  createWebhooks,
  pageShieldWebhookRoutes,
  webhookChannel,
} from '../features/monitoring/page-shield-webhooks/index.ts'
import {
  createImports,
  createThreatFeeds,
  judge,
  threatFeedRoutes,
} from '../features/monitoring/threat-feeds/index.ts'
import {
  createEdgeObservations,
  createPageObservations,
  createScans,
  createWatchedPages,
  watchedPageRoutes,
} from '../features/monitoring/watched-pages/index.ts'
import { createRequirements } from '../features/monitoring/requirements/index.ts'
import type { Route } from '../http/index.ts'
import type { FeaturesDeps } from './features.ts'

/** Inventory, threat feeds, and content security policies. */
export function createMonitoringFeatures({
  profile,
  maxPolicies,
  log,
  fetchFeed,
  postWebhook,
  sendMail,
  publicUrl,
  ...deps
}: Pick<
  FeaturesDeps,
  | 'storage'
  | 'clock'
  | 'ids'
  | 'profile'
  | 'reportingKey'
  | 'collectorUrl'
  | 'observeEvicted'
  | 'maxPolicies'
  | 'log'
  | 'fetchFeed'
  | 'postWebhook'
  | 'sendMail'
  | 'publicUrl'
  | 'compareScripts'
>) {
  const { storage, clock } = deps
  const pageShield = createPageShield({ ...deps, judge })
  const threatFeeds = createThreatFeeds(deps)
  const imports = createImports({ storage, clock, log, fetchFeed })
  const posting = { clock, post: postWebhook }
  const deliveries = createDeliveries({ storage, clock, log }, webhookChannel(posting))
  const accountDeliveries = createDeliveries(
    { storage, clock, log },
    accountWebhookChannel({ ...posting, storage }),
  )
  const emails = createDeliveries(
    { storage, clock, log },
    emailChannel({ storage, clock, sendMail, publicUrl }),
  )
  const tools = createPolicyTools({
    storage,
    ...pageShield.reporting,
    findResources: (db, zoneId) => foundResources(db, zoneId, clock.now()),
  })
  const webhooks = createWebhooks(deps)
  const emailAlerts = createEmailAlerts({ ...deps, sendMail })
  const watchedPages = createWatchedPages(deps)
  const pageObservations = createPageObservations({ storage, clock })
  const recordScan = createScans({ storage, observations: pageShield.observations, pageObservations })
  const edgeObservations = createEdgeObservations({
    storage,
    pageObservations,
    isMonitored: async (zoneId) => (await pageShield.reporting.monitoredZone(zoneId))?.isEnabled === true,
  })
  const requirements = createRequirements({ clock, pageShield, watchedPages, webhooks, emailAlerts })
  const routes: readonly Route[] = [
    ...pageShieldRoutes({ ...pageShield, clock, rules: profile }),
    ...pageShieldExtensionRoutes({ ...pageShield, requirements }),
    ...pageShieldLoadsRoutes(pageShield),
    ...pageShieldSourceRoutes(pageShield),
    ...threatFeedRoutes({ feeds: threatFeeds, imports }),
    ...pageShieldWebhookRoutes(webhooks, deliveries),
    ...accountWebhookRoutes(createAccountWebhooks(deps), accountDeliveries),
    ...pageShieldEmailAlertRoutes(emailAlerts, emails),
    ...watchedPageRoutes(watchedPages, recordScan),
    ...pageShieldPolicyRoutes({
      policies: createPageShieldPolicies({ ...deps, maxPolicies }),
      tools,
      rules: profile,
    }),
  ]
  const pages: EdgePages = {
    forEdges: async (db, zone) => edgeObservations.withWatched(db, zone, await tools.forEdges(db, zone)),
    edgeMark: pageShield.reporting.edgeMark,
    observeCookies: (zoneId, cookies) => pageShield.observations.observe(zoneId, observedPages(cookies)),
    observePages: edgeObservations.record,
  }
  return {
    pageShield,
    threatFeeds,
    imports,
    deliveries,
    accountDeliveries,
    emails,
    pageObservations,
    recordScan,
    pages,
    routes,
  }
}

/** Cookies as observations of page views, one for each page. */
function observedPages(cookies: readonly SeenCookie[]): readonly Observation[] {
  const pageUrls = new Set(cookies.map(({ pageUrl }) => pageUrl))
  return [...pageUrls].map((pageUrl) => {
    const own = cookies.filter((cookie) => cookie.pageUrl === pageUrl)
    return {
      pageUrl,
      observedAt: undefined,
      scripts: [],
      connections: [],
      frames: [],
      scriptCookies: [],
      setCookies: own.flatMap(({ setCookie }) => setCookie ?? []), // null for one that was sent
      cookie: own.flatMap(({ name }) => (name === null ? [] : `${name}=`)).join('; '),
    }
  })
}
