// The nameserver as a whole: the responder behind UDP and TCP on one port (RFC 7766 §5: both are required).
import { lookup } from 'node:dns/promises'
import type { Log } from '../platform/log.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { NameserverLimits } from './limits.ts'
import { noMetrics } from './metrics.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Exchange } from './exchange.ts'
import { createResponder } from './responder.ts'
import type { Respond } from './responder.ts'
import { listenTcp } from './tcp.ts'
import { listenUdp } from './udp.ts'
import type { Endpoint, Listener } from './listener.ts'
import type { ZoneTable } from './zone-table.ts'

/** How often a free port is tried when it turns out to be free for TCP only. */
const PORT_ATTEMPTS = 20

export interface NameserverOptions {
  readonly table: ZoneTable
  readonly log: Log
  /** DEFAULT_LIMITS where not given. */
  readonly limits?: Partial<NameserverLimits>
  readonly metrics?: NameserverMetrics
  /** Answers what is more than a question for data; nobody does where it is not given. */
  readonly exchange?: (respond: Respond) => Exchange
}

export interface Nameserver {
  /** Serves UDP and TCP on an address; port 0 picks one that is free for both. @throws when it cannot */
  listen(endpoint: Endpoint): Promise<{ readonly address: string; readonly port: number }>
  /** Stops listening, sends the answers that are under way, frees the ports. */
  close(): Promise<void>
}

export function createNameserver({
  table,
  log,
  limits: given,
  metrics = noMetrics,
  exchange: createExchange,
}: NameserverOptions): Nameserver {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const respond = createResponder({ table, log, limits, metrics })
  const exchange = createExchange?.(respond)
  const listeners: Listener[] = []

  return {
    async listen({ host, port }) {
      const { address } = await lookup(host)
      const pair = await listenBoth({ host: address, port })
      listeners.push(...pair)
      log.info({ address, port: pair[0].port }, 'dns listening')
      return { address, port: pair[0].port }
    },
    async close() {
      await Promise.all(listeners.splice(0).map((listener) => listener.close()))
    },
  }

  async function listenBoth({ host, port }: Endpoint): Promise<[Listener, Listener]> {
    const deps = { respond, exchange, log, limits, metrics }
    for (let attempt = 1; ; attempt += 1) {
      const tcp = await listenTcp({ host, port }, deps)
      try {
        return [tcp, await listenUdp({ host, port: tcp.port }, deps)]
      } catch (error) {
        await tcp.close()
        if (port !== 0 || attempt === PORT_ATTEMPTS || !isPortTaken(error)) throw error
      }
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
