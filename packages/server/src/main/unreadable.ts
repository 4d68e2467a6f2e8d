// Unreadable stored data, for `/readyz` and for metrics.
import type { Log } from '@zonereeve/platform'
import { startStoredCheck, type Storage, type StoredCheck } from '@zonereeve/storage'
import type { Metrics } from './metrics/metrics.ts'
import type { QuarantinedZone } from '../features/dns/publication/index.ts'

export interface UnreadableDeps {
  readonly storage: Storage
  readonly quarantine: { list(): readonly QuarantinedZone[] }
  readonly metrics: Metrics
  /** Path of the database; undefined for one in memory. */
  readonly path: string | undefined
  readonly log: Log
}

export function reportUnreadable({ storage, quarantine, metrics, path, log }: UnreadableDeps) {
  let check: StoredCheck = { problems: () => [], stop: async () => {} }
  return {
    /** Checks all stored data in the background. */
    startCheck(): void {
      check = startStoredCheck({ storage, path, log })
    },
    stopCheck: () => check.stop(),
    /** One line per problem. */
    async problems(): Promise<readonly string[]> {
      return [
        ...check.problems(),
        ...quarantine
          .list()
          .map(({ zoneId, problems }) => `zone ${zoneId} is answered with SERVFAIL: ${problems.join(', ')}`),
        ...(await storage.unreadable.list()).map(({ table, id }) => `row cannot be read: ${table} ${id}`),
      ]
    },
    metrics: {
      ...metrics,
      async text(): Promise<string> {
        const rows = await storage.unreadable.list()
        metrics.setUnreadable(quarantine.list().length, rows.length, check.problems().length)
        return metrics.text()
      },
    },
  }
}
