// The features, wired to each other: the same for the program and for its tests, which differ in what listens.
import { accountRoutes, createAccounts } from '../features/accounts/index.ts'
import {
  createDnsRecords,
  dnsRecordRoutes,
  fromRecordText,
  releaseZoneRecords,
  toRecordText,
  type DnsRecordsDeps,
} from '../features/dns-records/index.ts'
import {
  adoptDnsSettings,
  createDnsSettings,
  dnsSettingsRoutes,
  removeDnsSettings,
  servingSettingsOf,
} from '../features/dns-settings/index.ts'
import { createDnssec, dnssecRoutes, removeDnssec, type DnssecDeps } from '../features/dnssec/index.ts'
import { createDynamicUpdates, createUpdateKeys, updateKeyRoutes } from '../features/dynamic-updates/index.ts'
import { createFilters, filterRoutes, removeFilters } from '../features/filters/index.ts'
import {
  createFirewallRules,
  firewallRuleRoutes,
  isFilterUsed,
  removeFirewallRules,
} from '../features/firewall-rules/index.ts'
import {
  createConfigurations,
  createFirewallDecisions,
  firewallDecisionRoutes,
} from '../features/firewall-decisions/index.ts'
import { createBothTraces, firewallTraceRoutes } from '../features/firewall-trace/index.ts'
import { createHistory, historyRoutes } from '../features/history/index.ts'
import {
  createPageShield,
  foundResources,
  pageShieldExtensionRoutes,
  pageShieldRoutes,
  removePageShield,
  type PageShieldDeps,
} from '../features/page-shield/index.ts'
import { createPageRules, pageRuleRoutes, removePageRules } from '../features/page-rules/index.ts'
import {
  createPageShieldPolicies,
  createPolicyTools,
  pageShieldPolicyRoutes,
  removePolicies,
  type PageShieldPoliciesDeps,
} from '../features/page-shield-policies/index.ts'
import {
  createDeliveries,
  createWebhooks,
  pageShieldWebhookRoutes,
  removeWebhooks,
  type PostWebhook,
} from '../features/page-shield-webhooks/index.ts'
import { createQuery, queryRoutes, type QueryDeps } from '../features/query/index.ts'
import { createRecordScans, recordScanRoutes, type RecordScansDeps } from '../features/record-scans/index.ts'
import {
  createSecondaryDns,
  isCatalogName,
  secondaryDnsRoutes,
  type SecondaryDnsDeps,
} from '../features/secondary-dns/index.ts'
import {
  createSecurityEvents,
  securityEventRoutes,
  type SecurityEventsDeps,
} from '../features/security-events/index.ts'
import {
  createImports,
  createThreatFeeds,
  judge,
  threatFeedRoutes,
  type FetchFeed,
} from '../features/threat-feeds/index.ts'
import { createTokens, tokenRoutes } from '../features/tokens/index.ts'
import { createUsers, userRoutes } from '../features/users/index.ts'
import {
  createFirewalls,
  createFirewallTrace,
  createRulesets,
  removeZoneRulesets,
  rulesetRoutes,
} from '../features/rulesets/index.ts'
import {
  createPreviousFirewall,
  createWafMigration,
  isMigrated,
  migrateEntryPoint,
  wafMigrationRoutes,
} from '../features/waf-migration/index.ts'
import { createWafOverrides, removeWafOverrides, wafOverrideRoutes } from '../features/waf-overrides/index.ts'
import { createWafPackages, removeWafChoices, wafPackageRoutes } from '../features/waf-packages/index.ts'
import {
  createZoneSettings,
  removeZoneSettings,
  zoneSettingsRoutes,
} from '../features/zone-settings/index.ts'
import { createZoneFiles, zoneFileRoutes } from '../features/zone-file/index.ts'
import { createZones, zoneRoutes, type ZonesDeps } from '../features/zones/index.ts'
import type { PROFILES, Route } from '../http/index.ts'

export interface FeaturesDeps
  extends
    Pick<DnsRecordsDeps, 'storage' | 'clock' | 'ids' | 'edgeAddresses' | 'hasAddress'>,
    Pick<PageShieldDeps, 'reportingKey' | 'collectorUrl' | 'monitoringChanged' | 'noteDisplaced'>,
    Pick<PageShieldPoliciesDeps, 'maxPolicies'>,
    Pick<QueryDeps, 'explainAnswer'>,
    Pick<DnssecDeps, 'vault' | 'algorithm' | 'publishSigning' | 'askParent' | 'isRenewalDue'>,
    Pick<RecordScansDeps, 'log' | 'survey'>,
    Pick<SecondaryDnsDeps, 'lastSeen'>,
    Pick<SecurityEventsDeps, 'eventRetention'>,
    Pick<ZonesDeps, 'nameServers'> {
  readonly profile: (typeof PROFILES)[keyof typeof PROFILES]
  readonly fetchFeed: FetchFeed
  readonly postWebhook: PostWebhook
  /** Told after commit, in the order of commits. */
  readonly publishZone: ZonesDeps['publish']
  readonly publishRecords: DnsRecordsDeps['publish']
  readonly publishTransfers: SecondaryDnsDeps['publish']
}

export type Features = ReturnType<typeof createFeatures>

export function createFeatures({
  storage,
  clock,
  ids,
  profile,
  nameServers,
  edgeAddresses,
  hasAddress,
  reportingKey,
  collectorUrl,
  monitoringChanged,
  noteDisplaced,
  maxPolicies,
  eventRetention,
  explainAnswer,
  log,
  survey,
  fetchFeed,
  postWebhook,
  publishZone,
  publishRecords,
  publishTransfers,
  lastSeen,
  ...signing
}: FeaturesDeps) {
  const deps = { storage, clock, ids }
  const tokens = createTokens(deps)
  const accounts = createAccounts(deps)
  const secondaryDns = createSecondaryDns({
    ...deps,
    publish: publishTransfers,
    lastSeen,
    follow: (...followed) => records.follow(...followed),
    announceServing: (tx, zone) => zones.announceServing(tx, zone),
  })
  const zones = createZones({
    ...deps,
    nameServers,
    publish: publishZone,
    isNameTaken: isCatalogName,
    adopt: adoptDnsSettings,
    servingSettings: servingSettingsOf,
    async clear(tx, zoneId, position) {
      await removeContents(tx, zoneId, position)
      await secondaryDns.clearZone(tx, zoneId, position)
      tx.onCommit(() => monitoringChanged(zoneId))
    },
  })
  const records = createDnsRecords({
    ...deps,
    rules: profile,
    toText: toRecordText,
    fromText: fromRecordText,
    publish: publishRecords,
    edgeAddresses,
    hasAddress,
  })
  const updateKeys = createUpdateKeys(deps)
  const updates = createDynamicUpdates({ storage, ids, log, keys: updateKeys, tokens, records })
  const scans = createRecordScans({
    ...deps,
    log,
    records,
    survey,
    rules: profile,
    edgeAddresses,
    toText: toRecordText,
    fromText: fromRecordText,
  })
  const { settingsChanged } = zones
  const dnsSettings = createDnsSettings({ ...deps, rules: profile, settingsChanged })
  const dnssec = createDnssec({
    ...deps,
    ...signing,
    settingsChanged,
    servingSettings: servingSettingsOf,
    stepZone: zones.step,
  })
  const zoneSettings = createZoneSettings({ ...deps, settingsChanged, isMigrated })
  const monitoring = createMonitoringFeatures({
    ...deps,
    profile,
    reportingKey,
    collectorUrl,
    monitoringChanged,
    noteDisplaced,
    maxPolicies,
    log,
    fetchFeed,
    postWebhook,
  })
  const firewall = createFirewallFeatures({ ...deps, eventRetention })
  const routes: readonly Route[] = [
    ...userRoutes(createUsers(deps).ofCaller),
    ...tokenRoutes(tokens),
    ...accountRoutes(accounts),
    ...zoneRoutes(zones),
    ...dnsRecordRoutes(records),
    ...zoneFileRoutes(createZoneFiles({ storage, clock, records })),
    ...recordScanRoutes(scans),
    ...firewall.routes,
    ...dnsSettingsRoutes(dnsSettings),
    ...dnssecRoutes(dnssec),
    ...zoneSettingsRoutes(zoneSettings),
    ...secondaryDnsRoutes(secondaryDns),
    ...updateKeyRoutes(updateKeys),
    ...monitoring.routes,
    ...historyRoutes(createHistory({ storage, records })),
    ...queryRoutes(createQuery({ storage, explainAnswer })),
  ]
  return {
    tokens,
    accounts,
    zones,
    records,
    dnssec,
    scans,
    secondaryDns,
    updateKeys,
    updates,
    /** What the HTTP edge asks before it lets a request in. */
    known: {
      zoneAccount: zones.accountOf,
      hasAccount: accounts.exists,
      isMigrated: (zoneId: string) => isMigrated(storage, zoneId),
    },
    ...monitoring,
    ...firewall,
    routes,
  }
}

/** All that rooms keep of a zone which is deleted. */
const removeContents: ZonesDeps['clear'] = async (tx, zoneId, position) => {
  await releaseZoneRecords(tx, zoneId, position)
  await removeDnsSettings(tx, zoneId, position)
  await removeDnssec(tx, zoneId, position)
  await removeZoneSettings(tx, zoneId, position)
  await removePageShield(tx, zoneId, position)
  await removeWebhooks(tx, zoneId, position)
  await removeWafChoices(tx, zoneId, position)
  await removeWafOverrides(tx, zoneId, position)
  await removePageRules(tx, zoneId, position)
  await removeZoneRulesets(tx, zoneId, position)
  await removePolicies(tx, zoneId, position)
  await removeFirewallRules(tx, zoneId, position)
  await removeFilters(tx, zoneId, position)
}

/** What pages load, who says that it is malicious, and the policies against it. */
function createMonitoringFeatures({
  profile,
  maxPolicies,
  log,
  fetchFeed,
  postWebhook,
  ...deps
}: Pick<
  FeaturesDeps,
  | 'storage'
  | 'clock'
  | 'ids'
  | 'profile'
  | 'reportingKey'
  | 'collectorUrl'
  | 'monitoringChanged'
  | 'noteDisplaced'
  | 'maxPolicies'
  | 'log'
  | 'fetchFeed'
  | 'postWebhook'
>) {
  const { storage, clock } = deps
  const pageShield = createPageShield({ ...deps, judge })
  const threatFeeds = createThreatFeeds(deps)
  const imports = createImports({ storage, clock, log, fetchFeed })
  const tools = createPolicyTools({
    storage,
    ...pageShield.reporting,
    findResources: (db, zoneId) => foundResources(db, zoneId, clock.now()),
  })
  const routes: readonly Route[] = [
    ...pageShieldRoutes({ ...pageShield, clock, rules: profile }),
    ...pageShieldExtensionRoutes(pageShield),
    ...threatFeedRoutes({ feeds: threatFeeds, imports }),
    ...pageShieldWebhookRoutes(createWebhooks(deps)),
    ...pageShieldPolicyRoutes({
      policies: createPageShieldPolicies({ ...deps, maxPolicies }),
      tools,
      rules: profile,
    }),
  ]
  const deliveries = createDeliveries({ storage, clock, log, post: postWebhook })
  return { pageShield, threatFeeds, imports, deliveries, routes }
}

/** The previous firewall, the rulesets, the way from one to the other, and what either decided. */
function createFirewallFeatures(deps: Pick<FeaturesDeps, 'storage' | 'clock' | 'ids' | 'eventRetention'>) {
  const { storage, clock } = deps
  const wafPackages = createWafPackages({ ...deps, isMigrated })
  const firewallRules = createFirewallRules({ ...deps, isMigrated })
  const pageRules = createPageRules({ ...deps, isMigrated })
  const rulesets = createRulesets({ ...deps, isMigrated })
  const firewalls = createFirewalls(deps)
  const current = createFirewallTrace({ ...deps, firewalls })
  const securityEvents = createSecurityEvents(deps)
  const decisions = createFirewallDecisions({
    clock,
    configurations: createConfigurations({ storage, firewalls }),
    events: securityEvents,
  })
  const wafMigration = createWafMigration({ storage, clock, rulesets })
  const routes: readonly Route[] = [
    ...filterRoutes(createFilters({ ...deps, isUsed: isFilterUsed })),
    ...wafPackageRoutes(wafPackages),
    ...wafOverrideRoutes(createWafOverrides({ ...deps, isMigrated })),
    ...firewallRuleRoutes(firewallRules),
    ...pageRuleRoutes(pageRules),
    ...rulesetRoutes(rulesets, migrateEntryPoint(wafMigration)),
    ...wafMigrationRoutes(wafMigration),
    ...firewallTraceRoutes(createBothTraces({ storage, current })),
    ...firewallDecisionRoutes(decisions),
    ...securityEventRoutes(securityEvents),
  ]
  return {
    wafPackages,
    firewallRules,
    pageRules,
    securityEvents,
    previousFirewall: createPreviousFirewall(deps),
    routes,
  }
}
