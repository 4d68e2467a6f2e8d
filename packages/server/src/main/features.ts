// Wires the features to each other: the same for the program and its tests, which differ in what listens.
import { createRequestLog } from '../features/changes/index.ts'
import {
  auditLogRoutes,
  createAuditLogs,
  createEventStreams,
  eventStreamRoutes,
} from '../features/accounts/audit-logs/index.ts'
import { acmeChallengeRoutes, createAcmeChallenges } from '../features/dns/acme-challenges/index.ts'
import { accountRoutes, createAccounts } from '../features/accounts/accounts/index.ts'
import {
  createDnsRecords,
  proxiedRecords,
  dnsRecordRoutes,
  fromRecordText,
  zoneRecords,
  toRecordText,
  type DnsRecordsDeps,
} from '../features/dns/dns-records/index.ts'
import {
  adoptDnsSettings,
  createDnsSettings,
  dnsSettingsRoutes,
  zoneDnsSettings,
  publicationSettingsOf,
} from '../features/dns/dns-settings/index.ts'
import { createDnssec, dnssecRoutes, zoneDnssec, type DnssecDeps } from '../features/dns/dnssec/index.ts'
import {
  createDynamicUpdates,
  createUpdateKeys,
  updateKeyRoutes,
} from '../features/dns/dynamic-updates/index.ts'
import { createFilters, filterRoutes, zoneFilters } from '../features/firewall/filters/index.ts'
import {
  createFirewallRules,
  firewallRuleRoutes,
  isFilterUsed,
  zoneFirewallRules,
} from '../features/firewall/firewall-rules/index.ts'
import {
  createConfigurations,
  createFirewallDecisions,
  firewallDecisionRoutes,
} from '../features/firewall/firewall-decisions/index.ts'
import { createBothTraces, firewallTraceRoutes } from '../features/firewall/firewall-trace/index.ts'
import {
  createEdgeConfigurations,
  createSharedCounts,
  edgeRoutes,
  type EdgeConfigurationsDeps,
} from '../features/firewall/edge/index.ts'
import { createHistory, historyRoutes } from '../features/dns/history/index.ts'
import {
  type CompareScripts,
  zoneMonitoring,
  type PageShieldDeps,
} from '../features/monitoring/page-shield/index.ts'
import { anomalyScoreRoutes, createAnomalyScores } from '../features/firewall/anomaly-scores/index.ts'
import {
  createLeakedCredentials,
  leakedCredentialRoutes,
} from '../features/firewall/leaked-credentials/index.ts'
import { createManagedHeaders, managedHeaderRoutes } from '../features/firewall/managed-headers/index.ts'
import {
  createUrlNormalization,
  urlNormalizationRoutes,
} from '../features/firewall/url-normalization/index.ts'
import { accessRoutes, accessContents } from '../features/firewall/product-rules/index.ts'
import { createListItems, createLists, listRoutes } from '../features/firewall/lists/index.ts'
import { listReferences } from '../features/firewall/list-references/index.ts'
import { createPageRules, pageRuleRoutes, zonePageRules } from '../features/firewall/page-rules/index.ts'
import {
  zonePolicies,
  type PageShieldPoliciesDeps,
} from '../features/monitoring/page-shield-policies/index.ts'
import { type EmailDeps, zoneEmailAlerts } from '../features/monitoring/page-shield-email-alerts/index.ts'
import { zoneWebhooks, type PostWebhook } from '../features/monitoring/page-shield-webhooks/index.ts'
import {
  createZoneAttention,
  zoneAttentionRoutes,
  type ZoneAttentionDeps,
} from '../features/dns/zone-attention/index.ts'
import {
  createZoneSummaries,
  zoneSummaryRoutes,
  type ZoneSummariesDeps,
} from '../features/dns/zone-summaries/index.ts'
import { createQuery, queryRoutes, type QueryDeps } from '../features/dns/query/index.ts'
import {
  createRecordScans,
  recordScanRoutes,
  type RecordScansDeps,
} from '../features/dns/record-scans/index.ts'
import {
  createSecondaryDns,
  catalogGuards,
  createCatalogConsumer,
  secondaryDnsRoutes,
  type SecondaryDnsDeps,
} from '../features/dns/secondary-dns/index.ts'
import {
  createSecurityEvents,
  securityEventRoutes,
  type SecurityEventsDeps,
} from '../features/firewall/security-events/index.ts'
import { FEEDS_SCOPE, type FetchFeed } from '../features/monitoring/threat-feeds/index.ts'
import { createSessions, sessionRoutes } from '../features/accounts/sessions/index.ts'
import {
  createManagedUsers,
  createOwnSignIn,
  createPasskeys,
  createProviderSignIn,
  createSignIn,
  createSignInAttempts,
  managedUserRoutes,
  type IdentityProvider,
  ownSignInRoutes,
  passkeyRoutes,
  signInRoutes,
} from '../features/accounts/sign-in/index.ts'
import { createTokens, tokenRoutes, type Bound, type BoundOf } from '../features/accounts/tokens/index.ts'
import { createUsers, userRoutes } from '../features/accounts/users/index.ts'
import {
  createFirewalls,
  createRulesets,
  zoneRulesets,
  rulesetRoutes,
} from '../features/firewall/rulesets/index.ts'
import {
  createLegacyFirewall,
  createWafMigration,
  isMigrated,
  migrateEntryPoint,
  planIssue,
  wafMigrationRoutes,
} from '../features/firewall/waf-migration/index.ts'
import {
  createWafOverrides,
  zoneOverrides,
  wafOverrideRoutes,
} from '../features/firewall/waf-overrides/index.ts'
import {
  createWafPackages,
  zoneWafChoices,
  wafPackageRoutes,
} from '../features/firewall/waf-packages/index.ts'
import {
  createZoneSettings,
  zoneSettingContents,
  zoneSettingsRoutes,
} from '../features/zones/zone-settings/index.ts'
import { createZoneFiles, type ZoneFilesDeps, zoneFileRoutes } from '../features/dns/zone-file/index.ts'
import {
  createKnownZones,
  createZones,
  findZone,
  zoneRoutes,
  type ZoneContents,
  type ZonesDeps,
} from '../features/zones/zones/index.ts'
import { zoneWatchedPages } from '../features/monitoring/watched-pages/index.ts'
import type { PROFILES, Route } from '../http/index.ts'
import { createMonitoringFeatures } from './monitoring-features.ts'

export interface FeaturesDeps
  extends
    Pick<DnsRecordsDeps, 'storage' | 'clock' | 'ids' | 'edgeAddresses' | 'hasAddress'>,
    Pick<PageShieldDeps, 'reportingKey' | 'collectorUrl' | 'observeEvicted'>,
    Pick<PageShieldPoliciesDeps, 'maxPolicies'>,
    EmailDeps,
    Pick<QueryDeps, 'explainAnswer'>,
    Pick<DnssecDeps, 'vault' | 'algorithm' | 'keyDays' | 'askParent' | 'isRenewalDue'>,
    Pick<RecordScansDeps, 'log' | 'scanZone'>,
    Pick<SecondaryDnsDeps, 'lastSeen' | 'peersProgress' | 'digestStatus' | 'verifiedSerial'>,
    Pick<SecurityEventsDeps, 'eventRetention'>,
    Pick<EdgeConfigurationsDeps, 'coreRulesInUse'>,
    Pick<ZoneFilesDeps, 'beginPublication'>,
    Pick<ZoneSummariesDeps, 'answerRates'>,
    Pick<ZoneAttentionDeps, 'zonesBehind' | 'unreadableZones'>,
    Pick<ZonesDeps, 'nameServerSets' | 'quarantineProblems'> {
  readonly profile: (typeof PROFILES)[keyof typeof PROFILES]
  readonly fetchFeed: FetchFeed
  readonly postWebhook: PostWebhook
  readonly compareScripts: CompareScripts
  readonly identityProvider: IdentityProvider | undefined
}

/** As long as credentials are: another process may delete a zone. */
const ZONE_MILLIS = 2_000

const rememberZones = ({ storage, clock }: Pick<FeaturesDeps, 'storage' | 'clock'>) =>
  createKnownZones({
    clock,
    findZone: (zoneId: string) => findZone(storage, zoneId),
    rememberMillis: ZONE_MILLIS,
  })

export type Features = ReturnType<typeof createFeatures>

export function createFeatures({
  storage,
  clock,
  ids,
  profile,
  nameServerSets,
  quarantineProblems,
  edgeAddresses,
  hasAddress,
  reportingKey,
  collectorUrl,
  observeEvicted,
  maxPolicies,
  eventRetention,
  explainAnswer,
  log,
  scanZone,
  fetchFeed,
  postWebhook,
  sendMail,
  publicUrl,
  compareScripts,
  identityProvider,
  coreRulesInUse,
  ...others
}: FeaturesDeps) {
  const deps = { storage, clock, ids }
  const requestLog = createRequestLog({ storage, clock, log })
  const tokens = createTokens(deps)
  const accountOfZone: Bound['accountOfZone'] = async (tx, id) => (await findZone(tx, id))?.accountId
  const boundOf: BoundOf = (caller) =>
    // A session has no more rights than its user's role, in either profile.
    profile.boundedTokens || caller.kind === 'session' ? { caller, accountOfZone } : undefined
  const sessions = createSessions(deps)
  const attempts = createSignInAttempts(clock)
  const passkeys = createPasskeys({ ...deps, sessions, attempts })
  const users = createManagedUsers({ ...deps, sessions, tokens, accountOfZone })
  const providerSignIn = createProviderSignIn({
    ...deps,
    log,
    sessions,
    attempts,
    users,
    settings: identityProvider,
  })
  const accounts = createAccounts(deps)
  const knownZones = rememberZones(deps)
  const records = createDnsRecords({
    ...deps,
    log,
    rules: profile,
    toText: toRecordText,
    fromText: fromRecordText,
    edgeAddresses,
    hasAddress,
    knownZones,
  })
  const secondaryDns = createSecondaryDns({ ...deps, ...others, follow: records.follow })
  const zones = createZones({
    ...deps,
    nameServerSets,
    quarantineProblems,
    ...ZONE_RULES,
    contents: [...ZONE_CONTENTS, ...secondaryDns.contents],
  })
  const catalogConsumer = createCatalogConsumer({ ...deps, log, zones, incoming: secondaryDns.incoming })
  const updateKeys = createUpdateKeys({ ...deps, tokens })
  const updates = createDynamicUpdates({ storage, ids, log, keys: updateKeys, tokens, records })
  const scans = createRecordScans({
    ...deps,
    log,
    records,
    scanZone,
    rules: profile,
    edgeAddresses,
    toText: toRecordText,
    fromText: fromRecordText,
  })
  const acmeChallenges = createAcmeChallenges({ storage, records, explainAnswer })
  const eventStreams = createEventStreams({ storage, log })
  const dnssec = createDnssec({
    ...deps,
    ...others,
    settingsChanged: zones.settingsChanged,
    publicationSettings: publicationSettingsOf,
  })
  const monitoring = createMonitoringFeatures({
    ...deps,
    profile,
    reportingKey,
    collectorUrl,
    observeEvicted,
    maxPolicies,
    log,
    fetchFeed,
    postWebhook,
    sendMail,
    publicUrl,
    compareScripts,
  })
  const firewall = createFirewallFeatures({
    ...deps,
    pages: monitoring.pages,
    log,
    eventRetention,
    originsOf: proxiedRecords,
    coreRulesInUse,
  })
  const routes: readonly Route[] = [
    ...userRoutes(createUsers(deps).ofCaller),
    ...signInRoutes(createSignIn({ ...deps, sessions, attempts }), passkeys, providerSignIn),
    ...passkeyRoutes(passkeys),
    ...managedUserRoutes(users),
    ...ownSignInRoutes(createOwnSignIn({ ...deps, sessions, attempts })),
    ...sessionRoutes(sessions),
    ...tokenRoutes(tokens, boundOf),
    ...accountRoutes(accounts),
    ...auditLogRoutes(createAuditLogs({ storage, requestLog })),
    ...eventStreamRoutes(eventStreams),
    ...zoneRoutes(zones),
    ...dnsRecordRoutes(records),
    ...zoneFileRoutes(
      createZoneFiles({
        storage,
        clock,
        records,
        rules: profile,
        edgeAddresses,
        beginPublication: others.beginPublication,
      }),
    ),
    ...recordScanRoutes(scans),
    ...acmeChallengeRoutes(acmeChallenges),
    ...firewall.routes,
    ...dnsSettingsRoutes(createDnsSettings({ ...deps, rules: profile, nameServerSets, ...zones })),
    ...dnssecRoutes(dnssec),
    ...zoneSettingsRoutes(
      createZoneSettings({ ...deps, settingsChanged: zones.settingsChanged, isMigrated }),
    ),
    ...secondaryDnsRoutes(secondaryDns, catalogConsumer.catalogs),
    ...updateKeyRoutes(updateKeys, boundOf),
    ...monitoring.routes,
    ...historyRoutes(createHistory({ storage, records }), FEEDS_SCOPE),
    ...queryRoutes(createQuery({ storage, explainAnswer })),
    ...zoneSummaryRoutes(createZoneSummaries({ ...others, storage })),
    ...zoneAttentionRoutes(createZoneAttention({ ...others, storage, clock })),
  ]
  return {
    tokens,
    sessions,
    accounts,
    zones,
    knownZones,
    records,
    acmeChallenges,
    dnssec,
    scans,
    secondaryDns,
    catalogConsumer,
    updateKeys,
    updates,
    /** What the HTTP layer checks before it admits a request. */
    known: {
      zoneAccount: async (zoneId: string) => (await knownZones.find(zoneId))?.accountId,
      hasAccount: accounts.exists,
      isMigrated: (zoneId: string) => isMigrated(storage, zoneId),
    },
    ...monitoring,
    ...firewall,
    eventStreams,
    requestLog,
    routes,
  }
}

/** What other features say about zones. */
const ZONE_RULES = { ...catalogGuards, adopt: adoptDnsSettings, planIssue }

/** Contents of a zone, in order of removal: firewall rules before the filters they use. */
const ZONE_CONTENTS: readonly ZoneContents[] = [
  zoneRecords,
  zoneDnsSettings,
  zoneDnssec,
  zoneSettingContents,
  zoneMonitoring,
  zoneWebhooks,
  zoneEmailAlerts,
  zoneWatchedPages,
  zoneWafChoices,
  zoneOverrides,
  zonePageRules,
  ...accessContents,
  zoneRulesets,
  zonePolicies,
  zoneFirewallRules,
  zoneFilters,
]

/** The legacy firewall, rulesets, the migration between them, and security events. */
function createFirewallFeatures(
  deps: Pick<FeaturesDeps, 'storage' | 'clock' | 'ids' | 'log' | 'eventRetention'> &
    Pick<EdgeConfigurationsDeps, 'originsOf' | 'coreRulesInUse' | 'pages'>,
) {
  const { storage, clock } = deps
  const wafPackages = createWafPackages({ ...deps, isMigrated })
  const firewallRules = createFirewallRules({ ...deps, isMigrated })
  const pageRules = createPageRules({ ...deps, isMigrated })
  const rulesets = createRulesets({ ...deps, isMigrated })
  const firewalls = createFirewalls(deps)
  const configurations = createConfigurations({ storage, firewalls })
  const securityEvents = createSecurityEvents(deps)
  const anomalyScores = createAnomalyScores({ storage, clock, firewallOf: firewalls.of })
  const counting = { events: securityEvents, anomalyScores }
  const edgeConfigurations = createEdgeConfigurations({ ...deps, ...counting })
  const decisions = createFirewallDecisions({ clock, configurations, ...counting })
  const wafMigration = createWafMigration({ storage, clock, rulesets })
  const routes: readonly Route[] = [
    ...filterRoutes(createFilters({ ...deps, isUsed: isFilterUsed })),
    ...wafPackageRoutes(wafPackages),
    ...wafOverrideRoutes(createWafOverrides({ ...deps, isMigrated })),
    ...firewallRuleRoutes(firewallRules),
    ...pageRuleRoutes(pageRules),
    ...rulesetRoutes(rulesets, migrateEntryPoint(wafMigration)),
    ...wafMigrationRoutes(wafMigration),
    ...firewallTraceRoutes(createBothTraces({ clock, configurations })),
    ...firewallDecisionRoutes(decisions),
    ...securityEventRoutes(securityEvents),
    ...edgeRoutes(edgeConfigurations, createSharedCounts({ storage, clock })),
    ...anomalyScoreRoutes(anomalyScores),
    ...leakedCredentialRoutes(createLeakedCredentials(deps)),
    ...managedHeaderRoutes(createManagedHeaders(deps)),
    ...urlNormalizationRoutes(createUrlNormalization(deps)),
    ...accessRoutes(deps),
    ...listRoutes(createLists({ ...deps, references: listReferences }), createListItems(deps)),
  ]
  return {
    wafPackages,
    firewallRules,
    pageRules,
    securityEvents,
    anomalyScores,
    configurations,
    edgeConfigurations,
    legacyFirewall: createLegacyFirewall(deps),
    /** Managed rules were replaced: what was compiled with them is dropped. */
    rulesReplaced: () => {
      firewalls.forgetAll()
      configurations.forgetAll()
      edgeConfigurations.wakeEdges()
    },
    routes,
  }
}
