// All parts of a node except its HTTP server: zones in memory, features, collector and nameserver, subscribed
// to the hub.
import { loadCoreRuleSet } from '../features/firewall/core-rule-set/index.ts'
import { useLeakedPasswords, useLocations, useVerifiedBots } from '@zonereeve/edge'
import type { Config } from '@zonereeve/config'
import type { EventHub } from '../features/changes/index.ts'
import { configuredProvider } from '../features/accounts/sign-in/index.ts'
import { allZoneKeys } from '../features/dns/dnssec/index.ts'
import { openReportingKey } from '../features/monitoring/page-shield/index.ts'
import {
  createComparison,
  createFeedFetch,
  createWebhookPost,
  DEFAULT_ANALYSER_LIMITS,
} from '../features/monitoring/script-fetching/index.ts'
import { PROFILES } from '../http/index.ts'
import type { ObserveJob } from '../jobs/jobs.ts'
import { createAnswerHistory } from '@zonereeve/nameserver'
import { isOwn } from '@zonereeve/nodes'
import type { Clock, Ids, Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { createServerHealth } from './server-health/server-health.ts'
import { createAnswering, createZonePublication, type SnapshotOptions } from './answering.ts'
import { createCollecting, openConfiguredLog } from '../features/monitoring/collector/index.ts'
import { createFeatures, type Features, type FeaturesDeps } from './features.ts'
import type { Metrics } from './metrics/metrics.ts'
import { subscribeModules, subscribeTransfers } from './subscriptions.ts'
import { configuredMailer, createConfiguredFetch, startDnsScan } from './outgoing.ts'

/** Replaces parts of the outside world in tests. */
export interface Outside extends Partial<
  Pick<
    FeaturesDeps,
    | 'hasAddress'
    | 'scanZone'
    | 'fetchFeed'
    | 'postWebhook'
    | 'sendMail'
    | 'explainAnswer'
    | 'askParent'
    | 'isRenewalDue'
    | 'eventRetention'
    | 'observeEvicted'
  >
> {
  /** No peer is notified and no primary is queried. */
  readonly peers?: 'left alone'
}

export interface ModulesDeps {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Fed by the caller: from the storage's commits, or from a reader of the change log. */
  readonly hub: EventHub
  readonly metrics: Metrics
  /** Undefined: each start reads all records. */
  readonly snapshots?: SnapshotOptions | undefined
  /** Another node writes and sends zones to peers, until `lead` is called. */
  readonly isFollower?: boolean
  /** Of several nodes: this one takes changes from the position that it has reached. */
  readonly nodes?: { readonly reached: () => number } | undefined
  readonly outside?: Outside
}

export type Modules = Awaited<ReturnType<typeof createModules>>

/** Loads the stored state; does not listen yet. */
export async function createModules({
  hub,
  outside = {},
  snapshots,
  isFollower = false,
  nodes,
  ...node
}: ModulesDeps) {
  const { config, storage, clock, log, metrics } = node
  const { vault } = storage
  const { keys, unreadableKeys } = await allZoneKeys(storage, vault, (zone) => isOwn(config, zone))
  const zonePublication = await createZonePublication({
    ...node,
    keys,
    unreadableKeys,
    snapshots,
    startPosition: nodes?.reached(),
  })
  const coreRules = await loadCoreRuleSet({ storage, log })
  useLeakedPasswords(config.leakedPasswords, log)
  useLocations(config.geoip, log)
  useVerifiedBots(config.verifiedBots, log)
  const reportingKey = await openReportingKey(storage, log)
  const answerHistory = createAnswerHistory()
  const features = createFeatures({
    ...node,
    answerRates: (zone) => answerHistory.rates(zone, clock.now()),
    profile: PROFILES[config.profile],
    reportingKey,
    collectorUrl: config.collectorUrl,
    observeEvicted: metrics.countEvicted,
    identityProvider: configuredProvider(config),
    nameServerSets: config.nameServers,
    ...zonePublication.answers,
    coreRulesInUse: coreRules.inUse,
    vault,
    algorithm: config.dnssecAlgorithm,
    keyDays: { zsk: config.zskDays, ksk: config.kskDays },
    edgeAddresses: config.edgeAddresses,
    maxPolicies: config.maxPolicies,
    eventRetention: { days: config.securityEventDays, maxEvents: config.maxSecurityEvents },
    scanZone: startDnsScan(config, zonePublication.resolver),
    fetchFeed: createFeedFetch(createConfiguredFetch(config, 'threat feeds')),
    postWebhook: createWebhookPost(createConfiguredFetch(config, 'webhooks')),
    sendMail: configuredMailer(config),
    publicUrl: config.publicUrl,
    compareScripts: createComparison(DEFAULT_ANALYSER_LIMITS),
    ...outside,
  })
  const { reporting, traffic, evictions } = features.pageShield
  const reportLog = await openConfiguredLog(config, log)
  const collector = createCollecting({
    reportLog,
    storage,
    clock,
    log,
    reportingKey,
    findZone: reporting.monitoredZone,
    rate: config.reportRate,
    reportBudget: config.reportBudget,
    observe: metrics.countReports,
    countRecorded: traffic.note,
    noteEvicted: evictions.note,
  })
  const answering = await createAnswering({ ...node, zonePublication, features })
  subscribeModules(hub, {
    zones: zonePublication.zones,
    knownZones: features.knownZones,
    collector,
    configurations: features.configurations,
    credentials: [features.tokens, features.sessions],
    edges: features.edgeConfigurations,
    updateKeys: features.updateKeys,
  })
  let isSending = outside.peers === 'left alone'
  try {
    if (!isFollower) await lead()
    else await features.updateKeys.load()
  } catch (failure) {
    await answering.close()
    throw failure
  }
  const { behind } = zonePublication.sending.progress
  const serverHealth = createServerHealth({ storage, clock, peersBehind: () => behind().count })
  const observeJob: ObserveJob = (...run) => {
    metrics.observeJob(...run)
    serverHealth.noteJob(...run)
  }
  return {
    metrics,
    reportingKey,
    serverHealth,
    answerHistory,
    observeJob,
    zonePublication,
    features,
    collector,
    closeReportLog: async () => reportLog?.close(),
    answering,
    followCoreRules: () => follow(coreRules, features),
    lead,
  }

  /** Begins what only the node that writes does: transfers in both directions. Can be repeated after a failure. */
  async function lead(): Promise<void> {
    if (!isSending) subscribeTransfers(hub, answering.transfers)
    isSending = true
    await answering.transfers.loadAll()
    await features.updateKeys.load()
  }
}

/** Managed rules that another node or a command has replaced are used from now on. */
async function follow(
  coreRules: Pick<Awaited<ReturnType<typeof loadCoreRuleSet>>, 'follow'>,
  features: Pick<Features, 'rulesReplaced'>,
): Promise<void> {
  if (await coreRules.follow()) features.rulesReplaced()
}
