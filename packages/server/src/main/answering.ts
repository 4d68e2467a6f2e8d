// All that answers DNS, joined: zones in memory, what is derived from elsewhere, transfers, the nameserver; and how the
// features tell it of what they have stored.
import type { Config } from '../config/index.ts'
import type { Metrics } from './metrics.ts'
import { createExplainer, createNameserver, createZoneTable } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { createExplainAnswer, createServing, createTargetCheck, readEdgeAddresses } from '../serving/index.ts'
import type { Reader } from '../storage/index.ts'
import { createDnsFeed } from './dns-feed.ts'
import type { FeaturesDeps } from './features.ts'
import { nameserverGuards } from './nameserver-guards.ts'
import { systemCallsOf } from './system-calls.ts'
import { startResolver } from './system-resolver.ts'
import { createTransferFeed, type TransferFeedDeps } from './transfer-feed.ts'

export interface AnsweringDeps extends Pick<TransferFeedDeps, 'stepZone' | 'saveSeen'> {
  readonly config: Config
  readonly storage: Reader
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** Loads all zones; nothing listens yet. */
export async function createAnswering({ config, storage, clock, log, metrics, ...stored }: AnsweringDeps) {
  const table = createZoneTable()
  const resolver = startResolver(config, { clock, log })
  const transfers = createTransferFeed({ table, serving: () => serving, clock, log, ...stored })
  const { exchange, serials } = transfers
  const edge = readEdgeAddresses(config.edgeAddresses)
  const serving = createServing({ table, edge, resolver, serials })
  const feed = createDnsFeed(serving)
  metrics.setZones(await feed.loadAll(storage))
  const nameserver = createNameserver({
    table,
    log,
    metrics,
    ...nameserverGuards(config, clock),
    exchange,
    now: clock.now,
    systemCalls: await systemCallsOf(config, log),
  })
  const told = {
    publishZone(event) {
      feed.zoneChanged(event)
      metrics.setZones(table.zoneCount)
    },
    publishRecords: feed.recordsChanged,
    publishTransfers: transfers.publish,
    lastSeen: transfers.lastSeen,
    hasAddress: createTargetCheck({ serving, resolver }),
    explainAnswer: createExplainAnswer({ explain: createExplainer({ table, log }), serving, table }),
  } satisfies Partial<FeaturesDeps>
  return {
    resolver,
    nameserver,
    /** What features tell it and ask it. */
    told,
    async close(): Promise<void> {
      await transfers.close()
      await nameserver.close()
      await resolver?.close()
    },
  }
}
