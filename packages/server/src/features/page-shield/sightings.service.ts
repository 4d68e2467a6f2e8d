// What was met on pages becomes the inventory: known resources are seen again, new ones are added, within bounds.
// Sightings are no configuration and come by the thousand, so they write no change sets.
import type { Clock } from '../../platform/clock.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { saveBrowserHashes } from './contents.store.ts'
import { insertEvent } from './events.store.ts'
import { cutoffsAt, isForgotten, wholeSeconds, type Cutoffs, type Retention } from './life-cycle.rules.ts'
import { collapsed, mergePages, resourceId, variantStem, type ResourceKind } from './resources.rules.ts'
import { deleteResource, type StoredResource } from './resources.store.ts'
import { isReported, type Judgement } from './scores.rules.ts'
import { retentionOf } from './settings.store.ts'
import { siteOf } from './sites.rules.ts'
import {
  countResources,
  countVariants,
  displaceable,
  existingZones,
  findKnown,
  insertResource,
  saveSeenAgain,
  type KnownResource,
} from './sightings.store.ts'

/** Scripts, and connections, that a zone may have: what a list can export. */
export const MAX_RESOURCES = 50_000
/** Where there is no room left: asking one by one would walk over the inventory each time. */
const DISPLACED_AT_ONCE = 250
/** Between them, everybody else gets their turn. */
const SIGHTINGS_AT_ONCE = 32

export interface Sighting {
  readonly zoneId: string
  readonly kind: ResourceKind
  /** Of the pages. */
  readonly host: string
  readonly url: string
  readonly urlHost: string
  /** Whether the path, which may not be kept, contains `/cdn-cgi/`. */
  readonly hasCdnCgi: boolean
  /** Newest first; none = no page view, but a hash of what is known. */
  readonly pageUrls: readonly string[]
  /** In whole seconds. */
  readonly seenAt: string
  readonly pageViews: number
  /** Contents that browsers ran, `sha256-…`. */
  readonly browserHashes: readonly string[]
}

/** What became of one zone's sightings. */
export interface Recorded {
  readonly stored: number
  /** New ones for which the zone has no room. */
  readonly refused: number
  /** Hashes of what the zone's inventory does not have. */
  readonly unmatched: number
}

type Outcome = keyof Recorded

export interface RecordingDeps {
  readonly clock: Clock
  /** Holds URLs against the threat feeds, so that what is reported is flagged from the first sight on. */
  readonly judge: (db: Reader, urls: readonly string[]) => Promise<Judgement>
  /** Told after commit how many resources of a zone made room for new ones. */
  readonly noteDisplaced: (zoneId: string, count: number) => void
}

export interface SightingsDeps extends RecordingDeps {
  readonly storage: Storage
}

export function createSightings({ storage, ...deps }: SightingsDeps) {
  return {
    /** Records a batch in one transaction. Zones that are gone meanwhile are passed over. */
    record: (batch: readonly Sighting[]): Promise<ReadonlyMap<string, Recorded>> =>
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
  /** Kinds of which nothing can make room any more. */
  readonly full: Set<ResourceKind>
  /** Of the batch, as far as they were there before it; kept as they are stored. */
  readonly known: Map<string, KnownResource>
  readonly noteDisplaced: RecordingDeps['noteDisplaced']
}

export async function recordSightings(
  tx: Transaction,
  { clock, judge, noteDisplaced }: RecordingDeps,
  batch: readonly Sighting[],
): Promise<ReadonlyMap<string, Recorded>> {
  const byZone = groupByZone(batch)
  const zones = await existingZones(tx, [...byZone.keys()])
  const recorded = new Map<string, Recorded>()
  let looked = 0
  for (const [zoneId, sightings] of byZone) {
    if (!zones.has(zoneId)) continue
    const retention = await retentionOf(tx, zoneId)
    const ids = sightings.map(idOf)
    const context: Context = {
      zoneId,
      retention,
      cutoffs: cutoffsAt(clock.now(), retention),
      addedAt: clock.timestamp,
      judge,
      fetchDueAt: wholeSeconds(clock.now()),
      counts: new Map(),
      full: new Set(),
      known: new Map(await findKnown(tx, ids)),
      noteDisplaced,
    }
    const outcomes = { stored: 0, refused: 0, unmatched: 0 }
    for (const [index, sighting] of sightings.entries()) {
      outcomes[await recordOne(tx, context, sighting, context.known.get(ids[index] ?? ''))] += 1
      if ((looked += 1) % SIGHTINGS_AT_ONCE === 0) await tx.pause()
    }
    recorded.set(zoneId, outcomes)
  }
  return recorded
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

async function recordOne(
  tx: Transaction,
  context: Context,
  sighting: Sighting,
  known: KnownResource | undefined,
): Promise<Outcome> {
  if (known !== undefined && !isForgotten(known, context.cutoffs)) {
    await seeAgain(tx, context, known, sighting)
    return 'stored'
  }
  if (known !== undefined) {
    await deleteResource(tx, known.id)
    context.known.delete(known.id)
  }
  const one = await withoutTooManyVariants(tx, context, sighting)
  // The same may be in the batch twice, and a variant may become what is known already.
  const id = idOf(one)
  const present = (await findKnown(tx, [id])).get(id)
  if (present !== undefined) {
    await seeAgain(tx, context, present, one)
    return 'stored'
  }
  if (one.pageUrls.length === 0) return 'unmatched'
  const count = await countWithRoom(tx, context, one.kind)
  if (count >= MAX_RESOURCES) return 'refused'
  await add(tx, context, id, one)
  context.counts.set(one.kind, count + 1)
  return 'stored'
}

/**
 * How many resources there are. Where that is as many as there may be, those that were met seldom and not for longest make
 * room: whoever invents URLs would keep new ones out for days otherwise.
 */
async function countWithRoom(tx: Transaction, context: Context, kind: ResourceKind): Promise<number> {
  const { zoneId, retention, counts, full, known, noteDisplaced } = context
  const count = counts.get(kind) ?? (await countResources(tx, zoneId, kind))
  counts.set(kind, count)
  if (count < MAX_RESOURCES || full.has(kind)) return count
  const ids = await displaceable(tx, { zoneId, kind, ...retention }, DISPLACED_AT_ONCE)
  if (ids.length === 0) full.add(kind)
  else tx.onCommit(() => noteDisplaced(zoneId, ids.length))
  for (const id of ids) {
    await deleteResource(tx, id)
    known.delete(id)
  }
  return count - ids.length
}

async function seeAgain(
  tx: Transaction,
  { fetchDueAt, known: all }: Context,
  known: KnownResource,
  { hasCdnCgi, seenAt, pageViews, pageUrls, browserHashes }: Sighting,
): Promise<void> {
  const seen: KnownResource = {
    id: known.id,
    lastSeenAt: seenAt > known.lastSeenAt ? seenAt : known.lastSeenAt,
    pageViews: known.pageViews + pageViews,
    pageUrls: mergePages(pageUrls, known.pageUrls),
    // A host that is asked for other paths, too, is no such host.
    hasCdnCgi: known.hasCdnCgi && hasCdnCgi,
  }
  await saveSeenAgain(tx, seen)
  all.set(seen.id, seen)
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
  const { zoneId, kind, host, url, urlHost, hasCdnCgi, seenAt, pageViews, pageUrls, browserHashes } = sighting
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
    hasCdnCgi,
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
    waitingSite: kind === 'script' ? siteOf(urlHost) : null,
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
