// Assembles everything that answers DNS: zones in memory, derived records, transfers, the nameserver; and how
// features notify it of stored changes.
import { randomBytes } from 'node:crypto'
import type { Config } from '@zonereeve/config'
import type { Metrics } from './metrics/metrics.ts'
import type { ZoneKeys } from '../features/dns/dnssec/index.ts'
import {
  createExplainer,
  createGuards,
  createNameserver,
  createZoneTable,
  hashKeyOf,
} from '@zonereeve/nameserver'
import { type Clock, type Log, threadFile } from '@zonereeve/platform'
import {
  createAskParent,
  createDnsFeed,
  createExplainAnswer,
  createPublication,
  createTargetCheck,
  createZoneSnapshots,
  openZoneSnapshot,
  readEdgeAddresses,
  type SnapshotThresholds,
} from '../features/dns/publication/index.ts'
import type { ChangeEvent, Storage } from '@zonereeve/storage'
import { isOwn } from '@zonereeve/nodes'
import { createUpdateResponder } from '@zonereeve/transfers'
import { createSending, createSerialSteps, createTransferFeed } from '../features/dns/transfers/index.ts'
import type { Features, FeaturesDeps } from './features.ts'
import { connectionLimits, guardSettings, queryLogSettings } from './nameserver-guards.ts'
import { systemCallsOf } from './process/system-calls.ts'
import { startResolver } from './outgoing.ts'

export interface ZonePublicationDeps {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Keys of signed zones. */
  readonly keys: ReadonlyMap<string, ZoneKeys>
  /** Signed zones whose keys cannot be read. */
  readonly unreadableKeys: ReadonlySet<string>
  /** The position of the log from which changes are taken afterwards; undefined: no other node writes. */
  readonly startPosition: number | undefined
  /** Undefined: each start reads all records. */
  readonly snapshots?: SnapshotOptions | undefined
}

export interface SnapshotOptions extends SnapshotThresholds {
  readonly folder: string
  /** The program's version and its schema. */
  readonly program: string
}

export type ZonePublication = Awaited<ReturnType<typeof createZonePublication>>

/** Loads all zones into memory: all that features ask before they answer, and nothing that needs them. */
export async function createZonePublication(deps: ZonePublicationDeps) {
  const { config, storage, clock, log, metrics, keys, unreadableKeys, snapshots: options } = deps
  const snapshot = options && (await openZoneSnapshot({ ...options, storage, log }))
  const table = createZoneTable({ hashKey: snapshot?.hashKey ?? hashKeyOf(randomBytes(8)) })
  const resolver = startResolver(config, { clock, log })
  const sending = createSending({ table, storage, clock, log })
  const steps = createSerialSteps({ storage, clock, log })
  // Transferred copies of a zone are distinguished only by serial.
  const serials = { isBound: sending.isOpen, request: (zoneId: string) => void steps.step(zoneId) }
  const publication = createPublication({
    table,
    edge: readEdgeAddresses(config.edgeAddresses),
    resolver,
    serials,
  })
  const zones = createDnsFeed({
    publication,
    table,
    clock,
    storage,
    log,
    isOwn: (zone) => isOwn(config, zone),
    snapshot,
  })
  metrics.watchPeers(sending.progress.behind)
  metrics.setZones(await zones.loadAll(keys, unreadableKeys, deps.startPosition))
  const { incomplete } = zones
  // In place of a damaged one, another one is written.
  const read = snapshot?.isDamaged === false ? snapshot.place : undefined
  const writing = { storage, table, publication, incomplete, clock, log, read }
  return {
    table,
    snapshots: options && createZoneSnapshots({ ...options, ...writing }),
    resolver,
    sending,
    steps,
    publication,
    serials,
    zones: {
      ...zones,
      async take(event: ChangeEvent): Promise<void> {
        await zones.take(event)
        metrics.setZones(table.zoneCount)
      },
    },
    /** What features need from it. */
    answers: {
      beginPublication: zones.beginAhead,
      quarantineProblems: zones.quarantine.problemsOf,
      isRenewalDue: sending.outgoing.isRenewalDue,
      askParent: createAskParent({ table, log, resolver }),
      lastSeen: sending.lastSeen,
      peersProgress: sending.progress.peersOf,
      zonesBehind: sending.progress.zonesBehind,
      unreadableZones: () => zones.quarantine.list().map(({ zoneId }) => zoneId),
      digestStatus: sending.digestStatus,
      verifiedSerial: sending.verifiedSerial,
      hasAddress: createTargetCheck({ publication, resolver }),
      explainAnswer: createExplainAnswer({ explain: createExplainer({ table, log }), publication, table }),
    } satisfies Partial<FeaturesDeps>,
  }
}

export interface AnsweringDeps extends Pick<
  ZonePublicationDeps,
  'config' | 'storage' | 'clock' | 'log' | 'metrics'
> {
  readonly zonePublication: ZonePublication
  readonly features: Pick<Features, 'catalogConsumer' | 'updateKeys' | 'updates'>
}

/** Does not listen yet. */
export async function createAnswering({ zonePublication, features, ...deps }: AnsweringDeps) {
  const { config, clock, log, metrics } = deps
  const { table, resolver, sending, steps, publication } = zonePublication
  const { findKey } = features.updateKeys
  const transfers = createTransferFeed({
    ...deps,
    table,
    sending,
    publication,
    step: steps.step,
    findUpdateKey: findKey,
    incoming: features.catalogConsumer.received,
  })
  const guards = guardSettings(config)
  const file = threadFile('./answering.worker', import.meta.url)
  const nameserver = createNameserver({
    table,
    log,
    metrics,
    ...createGuards(guards, clock.now),
    limits: connectionLimits(config),
    queryLog: queryLogSettings(config),
    threads: config.dnsThreads === 0 ? undefined : { threads: config.dnsThreads, file, guards },
    messageHandler: transfers.exchange,
    now: clock.now,
    systemCalls: await systemCallsOf(config, log),
    respondLater: createUpdateResponder({ findKey, update: features.updates.update, clock, log }),
  })
  metrics.settleBefore(nameserver.settleCounts)
  return {
    nameserver,
    transfers,
    async close(): Promise<void> {
      steps.close()
      await transfers.close()
      await nameserver.close()
      await resolver?.close()
    },
  }
}
