// The state of this process and of what it depends on, for people: what metrics and /readyz tell programs.
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lastBackup } from '@zonereeve/backup'
import type { WireHealth } from '@zonereeve/contract'
import type { Clock } from '@zonereeve/platform'
import { countRows, query, type Reader, type Storage } from '@zonereeve/storage'
import { VERSION } from '../../version.ts'
import { selectPending } from '../../features/monitoring/event-deliveries/index.ts'
import { selectPendingWebhooks } from '../../features/monitoring/account-webhooks/index.ts'
import { countDuePages } from '../../features/monitoring/watched-pages/index.ts'
import type { ObserveJob } from '../../jobs/jobs.ts'

export interface ServerHealthDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Peers without the newest serial. */
  readonly peersBehind: () => number
}

/** What is known when the program serves. */
interface Watched {
  /** Of the database file; undefined = PostgreSQL, or in memory. */
  readonly path: string | undefined
  readonly isReady: () => Promise<boolean>
  readonly problems: () => Promise<readonly string[]>
}

export type ServerHealth = ReturnType<typeof createServerHealth>

type Run = WireHealth['jobs'][number]

export function createServerHealth({ storage, clock, peersBehind }: ServerHealthDeps) {
  const startedAt = clock.timestamp()
  const runs = new Map<string, Run>()
  let watched: Watched = { path: undefined, isReady: () => storage.healthy(), problems: async () => [] }

  /** Jobs have fixed names. */
  const noteJob: ObserveJob = (name, outcome, seconds) => {
    const failed = outcome === 'failed'
    const failures = (runs.get(name)?.failures ?? 0) + (failed ? 1 : 0) // 0 before its first run
    runs.set(name, { name, ended_at: clock.timestamp(), seconds, failed, failures })
  }

  return {
    noteJob,
    watch(now: Watched): void {
      watched = now
    },
    async read(): Promise<WireHealth> {
      const { path, isReady, problems } = watched
      return {
        version: VERSION,
        node_version: process.version,
        started_at: startedAt,
        ready: await isReady(),
        problems: [...(await problems())],
        memory_bytes: process.memoryUsage.rss(),
        database: { engine: storage.engine, bytes: sizeOf(path), log_bytes: sizeOf(path && `${path}-wal`) },
        disk: path === undefined ? null : await diskOf(dirname(path)),
        queues: await queues(),
        jobs: [...runs.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
        backup: path === undefined ? null : backupOf(path),
      }
    },
  }

  // One after the other: none of them is urgent.
  async function queues(): Promise<WireHealth['queues']> {
    const [db, now] = [storage.offload, clock.timestamp()]
    return [
      { name: 'webhooks', waiting: await countRows(db, selectPending('page_shield_webhooks')) },
      { name: 'account_webhooks', waiting: await countRows(db, selectPendingWebhooks()) },
      { name: 'email_alerts', waiting: await countRows(db, selectPending('page_shield_email_alerts')) },
      { name: 'script_fetches', waiting: await countDueScripts(db, now) },
      { name: 'page_checks', waiting: await countDuePages(db, now) },
      { name: 'secondaries', waiting: peersBehind() },
    ]
  }
}

/** An index has those that are due. */
const countDueScripts = (db: Reader, now: string): Promise<number> =>
  countRows(db, query.selectFrom('page_shield_resources').where('fetch_due_at', '<=', now))

const sizeOf = (path: string | undefined): number | null => {
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  return found?.size ?? null // no such file
}

async function diskOf(folder: string): Promise<NonNullable<WireHealth['disk']>> {
  const { bsize, bavail, blocks } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

function backupOf(path: string): WireHealth['backup'] {
  const found = lastBackup(path)
  if (found === undefined) return null
  const { created, octets, isEncrypted, path: file } = found
  return { created_at: created, bytes: octets, encrypted: isEncrypted, path: file }
}
