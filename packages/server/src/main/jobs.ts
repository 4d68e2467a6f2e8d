// The background jobs: sweeping, fetching and importing, until the program ends.
import type { Config } from '@zonereeve/config'
import { compactHistory, expireEntries } from '../features/changes/index.ts'
import { followExpiries } from '../features/dns/publication/index.ts'
import { forgetViolations } from '../features/monitoring/page-shield-policies/index.ts'
import {
  createAnalyser,
  createPageChecks,
  createScanning,
  DEFAULT_ANALYSER_LIMITS,
  DEFAULT_SCANNING_LIMITS,
} from '../features/monitoring/script-fetching/index.ts'
import { fetchFeeds, holdAgainstFeeds } from '../features/monitoring/threat-feeds/index.ts'
import type { Job } from '../jobs/jobs.ts'
import type { Clock, Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import type { Modules } from './modules.ts'
import type { Nodes } from './nodes.ts'
import { createConfiguredFetch, createConfiguredScan } from './outgoing.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export interface JobsDeps {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly modules: Pick<
    Modules,
    | 'features'
    | 'answering'
    | 'zonePublication'
    | 'followCoreRules'
    | 'metrics'
    | 'answerHistory'
    | 'collector'
  >
}

/** Jobs of every node, about what it has in memory. */
export function listNodeJobs({
  storage,
  clock,
  log,
  modules,
  nodes,
  comparison,
}: Omit<JobsDeps, 'config'> & {
  readonly nodes: Nodes | undefined
  readonly comparison: { compareSome(signal: AbortSignal): Promise<void> } | undefined
}): readonly Job[] {
  const { features, zonePublication, metrics, answerHistory } = modules
  const { table, zones } = zonePublication
  return [
    ...expiries(),
    ...(comparison === undefined
      ? []
      : [{ name: 'comparison of zones', every: 30 * SECOND, run: comparison.compareSome }]),
    { name: 'core rule set', every: 2 * SECOND, run: modules.followCoreRules },
    {
      name: 'answers of zones',
      every: 10 * SECOND,
      run: async () => answerHistory.record(await metrics.zoneAnswers(), clock.now()),
    },
    { name: 'anomaly scores', every: 10 * SECOND, run: features.anomalyScores.save },
    { name: 'omitted requests', every: MINUTE, run: features.requestLog.saveOmitted },
    { name: 'last use of credentials', every: MINUTE, run: () => saveLastUse(features, log) },
    {
      name: 'snapshot of zones',
      every: 30 * SECOND,
      run: (signal) => zonePublication.snapshots?.writeIfDue(signal),
    },
    { name: 'resolver cache sweep', every: SECOND, run: () => zonePublication.resolver?.sweep() },
  ]

  function expiries(): readonly Job[] {
    if (nodes === undefined) return []
    const { isWriter, betweenChanges } = nodes
    const run = async (): Promise<void> => {
      // The node that writes announces them itself.
      if (!isWriter()) await followExpiries({ storage, clock, table, zones, betweenChanges })
    }
    return [{ name: 'expiry of secondary zones', every: 10 * SECOND, run }]
  }
}

const delivery = (
  name: string,
  {
    deliverDue,
    waitUntilIdle,
  }: Pick<JobsDeps['modules']['features']['deliveries'], 'deliverDue' | 'waitUntilIdle'>,
): Job => ({ name, every: SECOND, run: deliverDue, waitUntilDone: waitUntilIdle })

/** Jobs that change what is stored, or reach out: of several nodes with one database, the writer has them. */
export function listWriterJobs({ config, storage, clock, log, modules }: JobsDeps): readonly Job[] {
  const { features, answering } = modules
  const feeds = { storage, imports: features.imports, contents: features.pageShield.contents }
  const { storeReported } = modules.collector
  return [
    ...(storeReported === undefined
      ? []
      : [{ name: 'reports of the log', every: SECOND / 5, run: storeReported }]),
    ...scriptScanning({ config, clock, log, contents: features.pageShield.contents }),
    ...pageChecks(config, {
      observations: features.pageObservations,
      recordScan: features.recordScan,
      log,
    }),
    {
      name: 'page shield sweep',
      every: HOUR,
      run: async () => {
        if ((await features.pageShield.sweep()) === undefined) return
        await storage.write((tx) => forgetViolations(tx, clock.now()))
      },
    },
    { name: 'zones of catalogs', every: SECOND / 2, run: features.catalogConsumer.reconcile },
    { name: 'dnssec keys', every: MINUTE, run: features.dnssec.advanceAll },
    // Frequent, because a zone may exceed its maximum until the next sweep.
    { name: 'security event sweep', every: 5 * MINUTE, run: features.securityEvents.sweep },
    { name: 'anomaly score sweep', every: 24 * HOUR, run: features.anomalyScores.sweep },
    // Continues what the last run of the program left.
    { name: 'deleted zone sweep', every: 2 * SECOND, run: features.records.sweepDeletedZones },
    { name: 'old record rewriting', every: HOUR, run: features.records.rewriteOld },
    {
      name: 'history compaction',
      every: 24 * HOUR,
      run: (signal) => compactHistory({ storage, clock, historyDays: config.historyDays }, signal),
    },
    {
      name: 'audit log retention',
      every: 24 * HOUR,
      run: (signal) => expireEntries({ storage, clock, log, auditDays: config.auditDays }, signal),
    },
    // Two jobs, so that a slow download delays no check.
    { name: 'threat feed fetches', every: 2 * SECOND, run: (signal) => fetchFeeds(feeds, signal) },
    { name: 'threat feed checks', every: 2 * SECOND, run: (signal) => holdAgainstFeeds(feeds, signal) },
    delivery('webhook delivery', features.deliveries),
    delivery('account webhook delivery', features.accountDeliveries),
    delivery('e-mail alerts', features.emails),
    { name: 'ended sessions sweep', every: HOUR, run: features.sessions.sweep },
    // Peers query after each change, which is not worth a commit each time.
    { name: 'times of transfers', every: 10 * SECOND, run: answering.transfers.saveSeen },
  ]
}

export async function saveLastUse(
  { tokens, sessions }: Pick<Modules['features'], 'tokens' | 'sessions'>,
  log: Log,
): Promise<void> {
  try {
    await tokens.saveLastUse()
    await sessions.saveLastUse()
  } catch (error) {
    log.warn({ err: error }, 'last use of credentials not saved')
  }
}

/** Checks watched pages as they become due. */
function pageChecks(
  config: Config,
  deps: Pick<Parameters<typeof createPageChecks>[0], 'observations' | 'recordScan' | 'log'>,
): readonly Job[] {
  if (config.scriptFetches === 0) return []
  const safeFetch = createConfiguredFetch(config, 'page checks')
  const run = createPageChecks({ ...deps, safeFetch, scanPage: createConfiguredScan(config) })
  return [{ name: 'page checks', every: 2 * SECOND, run }]
}

/** Fetches scripts as they become due. Stopping aborts running fetches. */
function scriptScanning({
  config,
  ...deps
}: Pick<JobsDeps, 'config' | 'clock' | 'log'> &
  Pick<Parameters<typeof createScanning>[0], 'contents'>): readonly Job[] {
  const { scriptFetches: fetches } = config
  if (fetches === 0) return []
  const { tick, close } = createScanning({
    ...deps,
    safeFetch: createConfiguredFetch(config, 'script scanner'),
    analyser: createAnalyser(DEFAULT_ANALYSER_LIMITS),
    limits: { ...DEFAULT_SCANNING_LIMITS, fetches },
  })
  return [{ name: 'script scan', every: SECOND, run: tick, waitUntilDone: close }]
}
