// What was met on pages becomes the inventory: known resources are seen again, new ones are added, within bounds.
// Sightings are no configuration and come by the thousand, so they write no change sets.
import type { Clock } from '../../platform/clock.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { saveBrowserHashes } from './contents.store.ts'
import { insertEvent } from './events.store.ts'
import { cutoffsAt, isForgotten, wholeSeconds, type Cutoffs, type Retention } from './life-cycle.rules.ts'
import {
  collapsed,
  hasCdnCgi,
  mergePages,
  resourceId,
  variantStem,
  type ResourceKind,
} from './resources.rules.ts'
import { deleteResource, type StoredResource } from './resources.store.ts'
import { isReported, type Judgement } from './scores.rules.ts'
import { retentionOf } from './settings.store.ts'
import {
  countResources,
  countVariants,
  existingZones,
  findKnown,
  insertResource,
  saveSeenAgain,
  type KnownResource,
} from './sightings.store.ts'

/** Scripts, and connections, that a zone may have: what a list can export. */
export const MAX_RESOURCES = 50_000

export interface Sighting {
  readonly zoneId: string
  readonly kind: ResourceKind
  /** Of the pages. */
  readonly host: string
  readonly url: string
  readonly urlHost: string
  /** Newest first. */
  readonly pageUrls: readonly string[]
  /** In whole seconds. */
  readonly seenAt: string
  readonly pageViews: number
  /** Contents that browsers ran, `sha256-…`. */
  readonly browserHashes: readonly string[]
}

export interface Recorded {
  readonly stored: number
  /** New ones for which their zone has no room. */
  readonly refused: number
}

export interface RecordingDeps {
  readonly clock: Clock
  /** Holds URLs against the threat feeds, so that what is reported is flagged from the first sight on. */
  readonly judge: (db: Reader, urls: readonly string[]) => Promise<Judgement>
}

export interface SightingsDeps extends RecordingDeps {
  readonly storage: Storage
}

export function createSightings({ storage, ...deps }: SightingsDeps) {
  return {
    /** Records a batch in one transaction. Zones that are gone meanwhile are passed over. */
    record: (batch: readonly Sighting[]): Promise<Recorded> =>
      storage.write((tx) => recordSightings(tx, deps, batch)),
  }
}

/** What holds for all sightings of a zone in one batch. */
interface Context {
  readonly zoneId: string
  readonly retention: Retention
  readonly cutoffs: Cutoffs
  readonly addedAt: () => string
  readonly judge: RecordingDeps['judge']
  readonly fetchDueAt: string
  /** Resources that there are, as far as they were counted. */
  readonly counts: Map<ResourceKind, number>
}

export async function recordSightings(
  tx: Transaction,
  { clock, judge }: RecordingDeps,
  batch: readonly Sighting[],
): Promise<Recorded> {
  const byZone = groupByZone(batch)
  const zones = await existingZones(tx, [...byZone.keys()])
  let stored = 0
  let refused = 0
  for (const [zoneId, sightings] of byZone) {
    if (!zones.has(zoneId)) continue
    const retention = await retentionOf(tx, zoneId)
    const context: Context = {
      zoneId,
      retention,
      cutoffs: cutoffsAt(clock.now(), retention),
      addedAt: clock.timestamp,
      judge,
      fetchDueAt: wholeSeconds(clock.now()),
      counts: new Map(),
    }
    const ids = sightings.map(idOf)
    const known = await findKnown(tx, ids)
    for (const [index, sighting] of sightings.entries()) {
      const isStored = await recordOne(tx, context, sighting, known.get(ids[index] ?? ''))
      if (isStored) stored += 1
      else refused += 1
    }
  }
  return { stored, refused }
}

function groupByZone(batch: readonly Sighting[]): ReadonlyMap<string, readonly Sighting[]> {
  const byZone = new Map<string, Sighting[]>()
  for (const sighting of batch) {
    const own = byZone.get(sighting.zoneId)
    if (own === undefined) byZone.set(sighting.zoneId, [sighting])
    else own.push(sighting)
  }
  return byZone
}

const idOf = ({ zoneId, kind, host, url }: Sighting): string => resourceId(zoneId, kind, host, url)

/** @returns false where there was no room for it. */
async function recordOne(
  tx: Transaction,
  context: Context,
  sighting: Sighting,
  known: KnownResource | undefined,
): Promise<boolean> {
  if (known !== undefined && !isForgotten(known, context.cutoffs)) {
    await seeAgain(tx, context, known, sighting)
    return true
  }
  if (known !== undefined) await deleteResource(tx, known.id)
  const one = await withoutTooManyVariants(tx, context, sighting)
  // The same may be in the batch twice, and a variant may become what is known already.
  const id = idOf(one)
  const present = (await findKnown(tx, [id])).get(id)
  if (present !== undefined) {
    await seeAgain(tx, context, present, one)
    return true
  }
  const count = context.counts.get(one.kind) ?? (await countResources(tx, one.zoneId, one.kind))
  context.counts.set(one.kind, count)
  if (count >= MAX_RESOURCES) return false
  await add(tx, context, id, one)
  context.counts.set(one.kind, count + 1)
  return true
}

async function seeAgain(
  tx: Transaction,
  { fetchDueAt }: Context,
  known: KnownResource,
  { seenAt, pageViews, pageUrls, browserHashes }: Sighting,
): Promise<void> {
  await saveSeenAgain(tx, {
    id: known.id,
    lastSeenAt: seenAt > known.lastSeenAt ? seenAt : known.lastSeenAt,
    pageViews: known.pageViews + pageViews,
    pageUrls: mergePages(pageUrls, known.pageUrls),
  })
  await saveBrowserHashes(tx, known.id, browserHashes, seenAt, fetchDueAt)
}

async function withoutTooManyVariants(
  tx: Transaction,
  { retention }: Context,
  sighting: Sighting,
): Promise<Sighting> {
  const stem = variantStem(sighting.url)
  if (stem === undefined) return sighting
  const count = await countVariants(tx, { ...sighting, stem }, retention.maxQueryVariants)
  return count < retention.maxQueryVariants ? sighting : { ...sighting, url: collapsed(stem) }
}

async function add(tx: Transaction, context: Context, id: string, sighting: Sighting): Promise<void> {
  const { zoneId, kind, host, url, urlHost, seenAt, pageViews, pageUrls, browserHashes } = sighting
  const { feedVersion, verdicts } = await context.judge(tx, [url])
  const [verdict = NOT_REPORTED] = verdicts
  const addedAt = context.addedAt()
  const pageUrl = pageUrls.at(-1) ?? ''
  const resource: StoredResource = {
    id,
    zoneId,
    kind,
    host,
    url,
    urlHost,
    hasCdnCgi: hasCdnCgi(url),
    addedAt,
    firstSeenAt: seenAt,
    lastSeenAt: seenAt,
    pageViews,
    firstPageUrl: pageUrl,
    pageUrls: mergePages(pageUrls, []),
    ...verdict,
    feedVersion,
    hash: null,
    contentSha256: null,
    sri: null,
    scores: null,
    fetchedAt: null,
    fetchDueAt: kind === 'script' ? context.fetchDueAt : null,
    fetchLeasedUntil: null,
    fetchFailures: 0,
    fetchProblem: null,
    fetchMemory: null,
  }
  await insertResource(tx, resource)
  const event = { zoneId, at: addedAt, resourceId: id, url, host, pageUrl, previousHash: null, hash: null }
  await insertEvent(tx, { ...event, kind: `${kind}.new` })
  if (isReported(verdict)) await insertEvent(tx, { ...event, kind: `${kind}.reported` })
  await saveBrowserHashes(tx, id, browserHashes, seenAt, context.fetchDueAt)
}

const NOT_REPORTED = { domainCategories: null, urlCategories: null }
