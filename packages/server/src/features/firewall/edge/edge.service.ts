// Serves edges: which zones they decide for, the configuration of each, and their events.
import { hash } from 'node:crypto'
import { createChangeSignal } from '@zonereeve/cooperate'
import { type Caller, type Clock, DomainError, type Ids, type Log } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { EFFECTIVE_PHASES, writeZoneConfiguration } from '@zonereeve/firewall'
import {
  DOCUMENT_FORMAT,
  type OriginRecord,
  type PageHeaders,
  type SeenCookie,
  type SeenPage,
  type ZoneDocument,
} from '@zonereeve/edge'
import { lastChangeNumber, readConsistently } from '../../changes/index.ts'
import { requireZone, type Zone, zonesAtChange } from '../../zones/index.ts'
import type { AnomalyScores } from '../anomaly-scores/index.ts'
import { credentialSettingsOf } from '../leaked-credentials/index.ts'
import { ALL_ZONES_SCOPE } from '../access-rules/index.ts'
import { productRulesFor } from '../product-rules/index.ts'
import { listsForZone } from '../list-references/index.ts'
import { urlNormalizationOf } from '../url-normalization/index.ts'
import { MAY_DECIDE } from './edge-permission.rules.ts'
import { rulesetsOf, PLAN_NAMES } from '../rulesets/index.ts'
import { keptOf, type SecurityEvents, type SentEvent } from '../security-events/index.ts'
import { legacyFirewallOf, legacyZoneOf } from '../waf-migration/index.ts'

export interface EdgeConfigurationsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly events: Pick<SecurityEvents, 'recordAll'>
  readonly anomalyScores: Pick<AnomalyScores, 'note'>
  /** The imported Core Rule Set. */
  readonly coreRulesInUse: () => object | undefined
  /** The proxied records of a zone. */
  readonly originsOf: (db: Reader, zoneId: string) => Promise<readonly OriginRecord[]>
  readonly pages: EdgePages
}

/** What monitoring gives to edges and takes from them. */
export interface EdgePages {
  readonly forEdges: (db: Reader, zone: Zone) => Promise<PageHeaders | undefined>
  /** Changes when edges should ask again although no setting has changed. */
  readonly edgeMark: (zoneId: string) => string
  /** @throws DomainError if monitoring is off, or a page is on no host of the zone. */
  readonly observeCookies: (zoneId: string, cookies: readonly SeenCookie[]) => Promise<unknown>
  /** The headers of watched pages. */
  readonly observePages: (zoneId: string, pages: readonly SeenPage[]) => Promise<void>
}

export interface ActivityEvent extends Omit<SentEvent, 'path'> {
  /** Path and query; only the path is stored. */
  readonly target: string
}

interface EdgeActivity {
  readonly sent: readonly ActivityEvent[]
  /** Events that the edge had no room for. */
  readonly dropped: number
  readonly scores: readonly { readonly score: number; readonly requests: number }[]
  readonly cookies: readonly SeenCookie[]
  readonly seenPages: readonly SeenPage[]
}

interface ZoneVersions {
  readonly cursor: string
  /** Identifies the imported Core Rule Set; null if there is none. */
  readonly core_rule_set: string | null
  readonly zones: readonly { readonly id: string; readonly version: string }[]
}

const SECOND_MILLIS = 1_000

export type EdgeConfigurations = ReturnType<typeof createEdgeConfigurations>

export function createEdgeConfigurations(deps: EdgeConfigurationsDeps) {
  const { storage, clock, ids, log, events, anomalyScores, originsOf, coreRulesInUse, pages } = deps
  let identified: { readonly ruleSet: object; readonly id: string } | undefined
  /** A cursor of another process never equals one of this process. */
  const epoch = ids.id().slice(0, 16)
  let changes = 0
  let isClosed = false
  const changed = createChangeSignal()
  return { zones, coreRules, configuration, record, wakeEdges, close }

  /** The caller's zones: at once without a cursor or if something has changed, else after a change or the wait. */
  async function zones(
    caller: Caller,
    cursor: string | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ZoneVersions> {
    const waitMillis = isClosed ? 0 : waitSeconds * SECOND_MILLIS
    if (cursor === cursorNow() && waitMillis > 0) await changed.changeWithin(waitMillis, signal)
    // Taken before reading: a change in between makes the next call return at once.
    const next = cursorNow()
    const found: { id: string; version: string }[] = []
    const ruleSetId = ruleSetIdNow()
    const all = await lastChangeNumber(storage, ALL_ZONES_SCOPE)
    const accounts = new Map<string, number>()
    for await (const some of zonesAtChange(storage, caller.reach(MAY_DECIDE, 'zone'))) {
      for (const { id, accountId, change } of some) {
        const account = accounts.get(accountId) ?? (await lastChangeNumber(storage, accountId))
        accounts.set(accountId, account)
        found.push({ id, version: versionText([all, account, change], pages.edgeMark(id), ruleSetId) })
      }
      signal.throwIfAborted()
    }
    return { cursor: next, core_rule_set: ruleSetId, zones: found }
  }

  /** The imported Core Rule Set, which edges use as this server does. @throws DomainError: auth.forbidden. */
  async function coreRules(caller: Caller): Promise<{ id: string; rule_set: unknown } | null> {
    for await (const some of zonesAtChange(storage, caller.reach(MAY_DECIDE, 'zone')))
      if (some.length > 0) return ruleSetInUse()
    throw new DomainError({ reason: 'auth.forbidden' })
  }

  /** With its ID, which is computed once. */
  function ruleSetInUse(): { id: string; rule_set: unknown } | null {
    const ruleSet = coreRulesInUse()
    if (ruleSet === undefined) return null
    if (identified?.ruleSet !== ruleSet) identified = { ruleSet, id: idOf(ruleSet) }
    return { id: identified.id, rule_set: ruleSet }
  }

  function ruleSetIdNow(): string | null {
    return ruleSetInUse()?.id ?? null
  }

  /** A consistent read of everything that decides about requests to a zone. @throws DomainError: zone.unknown. */
  async function configuration(zoneId: string): Promise<ZoneDocument> {
    const { accountId } = await requireZone(storage, zoneId)
    const { value } = await readConsistently(storage, [zoneId, accountId, ALL_ZONES_SCOPE], async (db) => {
      const zone = await requireZone(db, zoneId)
      const version = await versionOf(db, zone, ruleSetIdNow(), pages.edgeMark(zoneId))
      return { zone, version, ...(await contentOf(db, zone)) }
    })
    const { zone, ...rest } = value
    const name = zone.name.replace(/\.$/, '')
    return { format: DOCUMENT_FORMAT, id: zoneId, name, plan: PLAN_NAMES[zone.plan], ...rest }
  }

  async function contentOf(
    db: Reader,
    zone: Zone,
  ): Promise<Pick<ZoneDocument, 'configuration' | 'origins' | 'pages'>> {
    const { id, accountId } = zone
    const rulesets = [
      ...(await rulesetsOf(db, { level: 'account', id: accountId }, EFFECTIVE_PHASES)),
      ...(await rulesetsOf(db, { level: 'zone', id }, EFFECTIVE_PHASES)),
    ]
    const legacy = legacyZoneOf(await legacyFirewallOf(db, id))
    const credentials = await credentialSettingsOf(db, id)
    const normalization = await urlNormalizationOf(db, id)
    const lists = await listsForZone(db, zone)
    const products = await productRulesFor(db, zone)
    const configuration = writeZoneConfiguration({
      rulesets,
      legacy,
      credentials,
      normalization,
      lists,
      products,
    })
    const added = await pages.forEdges(db, zone)
    return {
      configuration,
      origins: await originsOf(db, id),
      ...(added !== undefined && { pages: added }),
    }
  }

  /**
   * Stores events; they are durable when the promise resolves.
   *
   * @returns the number of events that were not stored before. @throws DomainError: zone.unknown.
   */
  async function record(
    zoneId: string,
    { sent, dropped, scores, cookies, seenPages }: EdgeActivity,
  ): Promise<number> {
    await requireZone(storage, zoneId)
    for (const count of scores) anomalyScores.note(zoneId, count)
    if (cookies.length > 0) await observe(zoneId, cookies)
    if (seenPages.length > 0) await pages.observePages(zoneId, seenPages)
    if (dropped > 0) log.warn({ zoneId, dropped, sampled: sent.length }, 'security events sampled')
    return events.recordAll(
      zoneId,
      sent.map(({ target, at, ...event }) => ({
        ...event,
        ...keptOf(event.method, event.host, target, event.ip),
        at: storedTime(Math.min(Date.parse(at), clock.now())),
      })),
    )
  }

  /** Cookies that monitoring does not take, for example because it was turned off, are dropped. */
  async function observe(zoneId: string, cookies: readonly SeenCookie[]): Promise<void> {
    try {
      await pages.observeCookies(zoneId, cookies)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      log.warn({ zoneId, dropped: cookies.length, problem: error.message }, 'cookies not recorded')
    }
  }

  /** Wakes edges that wait for a change. */
  function wakeEdges(): void {
    changes += 1
    changed.announce()
  }

  /** Answers everybody who waits. */
  function close(): void {
    isClosed = true
    changed.announce()
  }

  function cursorNow(): string {
    return `${epoch}.${changes}`
  }
}

async function versionOf(
  db: Reader,
  { id, accountId }: Zone,
  ruleSetId: string | null,
  mark: string,
): Promise<string> {
  const [zone, account] = [await lastChangeNumber(db, id), await lastChangeNumber(db, accountId)]
  return versionText([await lastChangeNumber(db, ALL_ZONES_SCOPE), account, zone], mark, ruleSetId)
}

/**
 * Edges compare the version in the list with that of the document. Compiled rulesets depend on the rules of the Core Rule
 * Set, too.
 *
 * @param changes last changes of all zones together, of the account, and of the zone.
 */
function versionText(changes: readonly number[], mark: string, ruleSetId: string | null): string {
  const numbers = [DOCUMENT_FORMAT, ...changes, mark].join('.')
  return ruleSetId === null ? numbers : `${numbers}.${ruleSetId}`
}

const idOf = (ruleSet: object): string => hash('sha256', JSON.stringify(ruleSet)).slice(0, 16)

/** With microseconds, as all stored times, so that string order is time order. */
const storedTime = (millis: number): string => `${new Date(millis).toISOString().slice(0, -1)}000Z`
