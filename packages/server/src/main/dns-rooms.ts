// The rooms that answer DNS, joined: zones in memory, what is served of them, transfers, and what listens.
import type { Config, Endpoint } from '../config/index.ts'
import {
  createNameserver,
  createZoneTable,
  type EncryptedEndpoints,
  type NameserverMetrics,
} from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Resolver } from '../resolver/index.ts'
import { createServing, readEdgeAddresses } from '../serving/index.ts'
import { createDnsFeed } from './dns-feed.ts'
import { nameserverGuards } from './nameserver-guards.ts'
import { createTransferFeed, type TransferFeedDeps } from './transfer-feed.ts'

export interface DnsRoomsDeps extends Pick<TransferFeedDeps, 'updates' | 'stepZone'> {
  readonly config: Config
  /** Undefined: only UDP and TCP. */
  readonly encrypted: EncryptedEndpoints | undefined
  readonly clock: Clock
  readonly log: Log
  readonly metrics: NameserverMetrics
  readonly resolver: Resolver | undefined
}

/** Where DNS is answered. */
export interface DnsEndpoints {
  readonly dns: Endpoint
  /** DNS over TLS and over HTTPS, where there is a certificate. */
  readonly tls: Endpoint | undefined
  readonly https: Endpoint | undefined
}

const NOT_ENCRYPTED = { tls: undefined, https: undefined }

export function createDnsRooms(deps: DnsRoomsDeps) {
  const { config, encrypted, clock, log, metrics, resolver, updates, stepZone } = deps
  const table = createZoneTable()
  const transfers = createTransferFeed({ table, serving: () => serving, clock, log, updates, stepZone })
  const edge = readEdgeAddresses(config.edgeAddresses)
  const serving = createServing({ table, edge, resolver, serials: transfers.serials })
  const feed = createDnsFeed(serving)
  const guards = nameserverGuards(config, clock)
  const nameserver = createNameserver({ table, log, metrics, ...guards, exchange: transfers.exchange })
  return { table, serving, feed, transfers, nameserver, listen }

  async function listen(): Promise<DnsEndpoints> {
    const { address: host, port } = await nameserver.listen(config.dns)
    const { tls, https } =
      encrypted === undefined ? NOT_ENCRYPTED : await nameserver.listenEncrypted(encrypted)
    return { dns: { host, port }, tls, https }
  }
}
