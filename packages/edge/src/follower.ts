// Follows the configuration of the server: each zone is replaced when its version changes. Whatever fails, the last
// good configuration of each zone stays.
import { backoffMillis } from '@zonereeve/cooperate'
import { coreRuleSet, replaceCoreRuleSet } from '@zonereeve/firewall'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CoreRulesDocument } from './core-rules-document.ts'
import type { DocumentStore } from './document-store.ts'
import type { EdgeLog } from './edge-log.ts'
import type { EdgeServer } from './edge-server.ts'
import type { ZoneTable } from './zone-table.ts'

const FIRST_RETRY_MILLIS = 250
const LONGEST_RETRY_MILLIS = 10_000

export interface FollowerDeps {
  readonly server: Pick<EdgeServer, 'zoneVersions' | 'zoneDocument' | 'coreRuleSet'>
  readonly store: DocumentStore
  readonly zones: ZoneTable
  readonly log: EdgeLog
}

/** Resolves when the stored configuration is loaded; the server is asked from then on. */
export async function startFollower({ server, store, zones, log }: FollowerDeps) {
  const stopping = new AbortController()
  /** Versions that did not compile, which are not fetched again. */
  const rejected = new Map<string, string>()
  /** Of the Core Rule Set in use; undefined before the server was asked. */
  let ruleSetId: string | null | undefined
  let isReady = false
  let failures = 0
  await loadStored()
  let firstSync: () => void = () => undefined
  const synced = new Promise<void>((resolve) => {
    firstSync = resolve
  })
  const running = run()
  return { isReady: () => isReady, synced, close }

  async function loadStored(): Promise<void> {
    // Zones compile with the rules in use.
    await store
      .readCoreRuleSet()
      .then((stored) => stored && use(stored))
      .catch((error: unknown) => {
        log.warn({ problem: describe(error) }, 'stored core rule set not usable')
      })
    const { documents, problems } = await store.readAll()
    for (const problem of problems) log.warn({ problem }, 'stored configuration not readable')
    for (const document of documents) {
      await zones.replace(document).catch((error: unknown) => {
        log.warn({ zoneId: document.id, problem: String(error) }, 'stored configuration not usable')
      })
    }
    isReady = zones.byId.size > 0
  }

  async function run(): Promise<void> {
    let cursor: string | undefined
    while (!stopping.signal.aborted) {
      try {
        cursor = await sync(cursor)
        if (failures > 0) log.info({ failures }, 'server answers again')
        failures = 0
        isReady = true
        firstSync()
      } catch (error) {
        if (stopping.signal.aborted) return
        cursor = undefined
        failures += 1
        log.warn({ problem: describe(error), failures }, 'server not followed')
        const millis = backoffMillis(failures, FIRST_RETRY_MILLIS, LONGEST_RETRY_MILLIS)
        await sleep(millis, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  /** Fetches what differs. @returns the next cursor. */
  async function sync(cursor: string | undefined): Promise<string> {
    const found = await server.zoneVersions(cursor, stopping.signal)
    // A token that lost its permission must not open what it protected.
    if (found.zones.length === 0) throw new Error('the token may decide for no zone (permission Edge Decide)')
    await followCoreRuleSet(found.core_rule_set)
    const ids = new Set(found.zones.map(({ id }) => id))
    for (const id of [...zones.byId.keys()].filter((known) => !ids.has(known))) await forget(id)
    for (const { id, version } of found.zones) {
      if (zones.byId.get(id)?.version === version || rejected.get(id) === version) continue
      await follow(id, version)
    }
    return found.cursor
  }

  /** @throws if the rule set cannot be fetched or compiled: then no zone is replaced, and it is tried again. */
  async function followCoreRuleSet(id: string | null): Promise<void> {
    if (id === ruleSetId || (id === null && coreRuleSet() === undefined)) return
    const document = id === null ? undefined : await server.coreRuleSet(stopping.signal)
    await use(document)
    await store.saveCoreRuleSet(document).catch((error: unknown) => {
      log.warn({ problem: describe(error) }, 'core rule set not stored')
    })
    log.info({ version: document?.rule_set.version ?? null }, 'core rule set replaced')
  }

  async function use(document: CoreRulesDocument | undefined): Promise<void> {
    await replaceCoreRuleSet(document?.rule_set)
    ruleSetId = document?.id ?? null
  }

  async function follow(id: string, version: string): Promise<void> {
    const document = await server.zoneDocument(id, stopping.signal)
    if (document === undefined) return forget(id)
    // It is fetched again with the next change or look. The other zones do not wait for it.
    if (document === 'unreadable')
      return log.warn({ zoneId: id, version }, 'the server cannot read the configuration; the last one stays')
    try {
      await zones.replace(document)
      rejected.delete(id)
    } catch (error) {
      rejected.set(id, version)
      log.warn(
        { zoneId: id, version, problem: describe(error) },
        'configuration not usable; the last one stays',
      )
      return
    }
    await store.save(document).catch((error: unknown) => {
      log.warn({ zoneId: id, problem: describe(error) }, 'configuration not stored')
    })
    log.info({ zoneId: id, name: document.name, version: document.version }, 'configuration replaced')
  }

  async function forget(id: string): Promise<void> {
    zones.remove(id)
    await store.remove(id)
    log.info({ zoneId: id }, 'zone removed')
  }

  async function close(): Promise<void> {
    stopping.abort()
    await running
  }
}

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
