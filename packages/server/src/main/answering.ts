// All that answers DNS, joined: zones in memory, what is derived from elsewhere, transfers, the nameserver; and how the
// features tell it of what they have stored.
import { randomBytes } from 'node:crypto'
import type { Config } from '../config/index.ts'
import type { Metrics } from './metrics.ts'
import type { ZoneKeys } from '../features/dnssec/index.ts'
import { createExplainer, createNameserver, createZoneTable, hashKeyOf } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { createExplainAnswer, createServing, createTargetCheck, readEdgeAddresses } from '../serving/index.ts'
import type { Reader } from '../storage/index.ts'
import { createUpdateResponder, type UpdateResponderDeps } from '../transfers/index.ts'
import { createDnsFeed } from './dns-feed.ts'
import type { FeaturesDeps } from './features.ts'
import { nameserverGuards } from './nameserver-guards.ts'
import { systemCallsOf } from './system-calls.ts'
import { createAskParent } from './parent-ds.ts'
import { startResolver } from './system-resolver.ts'
import { createTransferFeed, type TransferFeedDeps } from './transfer-feed.ts'

export interface AnsweringDeps extends Pick<TransferFeedDeps, 'stepZone' | 'secondaryDns'> {
  /** Dynamic updates, and the keys that sign them: there once something listens. */
  readonly updating: () => {
    readonly updateKeys: Pick<UpdateResponderDeps, 'findKey'>
    readonly updates: Pick<UpdateResponderDeps, 'update'>
  }
  readonly config: Config
  readonly storage: Reader
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Of the zones that are signed. */
  readonly keys: ReadonlyMap<string, ZoneKeys>
}

/** Loads all zones; nothing listens yet. */
export async function createAnswering(deps: AnsweringDeps) {
  const { config, storage, clock, log, metrics, keys, updating, ...stored } = deps
  const findKey: UpdateResponderDeps['findKey'] = (name, algorithm) =>
    updating().updateKeys.findKey(name, algorithm)
  const table = createZoneTable({ hashKey: hashKeyOf(randomBytes(8)) })
  const resolver = startResolver(config, { clock, log })
  const transfers = createTransferFeed({
    table,
    serving: () => serving,
    clock,
    log,
    metrics,
    ...stored,
    findUpdateKey: findKey,
  })
  const { exchange, serials } = transfers
  const edge = readEdgeAddresses(config.edgeAddresses)
  const serving = createServing({ table, edge, resolver, serials })
  const feed = createDnsFeed({ serving, table, clock })
  metrics.setZones(await feed.loadAll(storage, keys))
  const nameserver = createNameserver({
    table,
    log,
    metrics,
    ...nameserverGuards(config, clock),
    exchange,
    now: clock.now,
    systemCalls: await systemCallsOf(config, log),
    respondLater: createUpdateResponder({
      findKey,
      update: (message, sender) => updating().updates.update(message, sender),
      clock,
      log,
    }),
  })
  const told = {
    publishZone(event) {
      feed.zoneChanged(event)
      metrics.setZones(table.zoneCount)
    },
    publishRecords: feed.recordsChanged,
    publishSigning(event) {
      feed.signingChanged(event)
      transfers.restart(event.zoneId)
    },
    isRenewalDue: transfers.isRenewalDue,
    askParent: createAskParent({ table, log, resolver }),
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
