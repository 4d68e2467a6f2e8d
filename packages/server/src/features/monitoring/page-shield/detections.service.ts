// Records detections in the inventory: updates known resources and adds new ones, within limits. Detections
// are not configuration and arrive by the thousand, so they write no change sets.
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { saveBrowserHashes } from './contents.store.ts'
import { insertEvent } from './events.store.ts'
import { cutoffsAt, isForgotten, wholeSeconds, type Cutoffs, type Retention } from './life-cycle.rules.ts'
import { collapseStem, mergePages, resourceId, variantStem, type ResourceKind } from './resources.rules.ts'
import { deleteResource, insertResource, queueFetch, type StoredResource } from './resources.store.ts'
import {
  createReporterBudget,
  type BudgetDeps,
  type ReporterBudget,
  type Reporters,
} from './reporters.service.ts'
import { isReported, type Judgement } from './scores.rules.ts'
import { retentionOf } from './settings.store.ts'
import { siteOf } from './sites.rules.ts'
import {
  countResources,
  countVariants,
  displaceable,
  existingZones,
  findKnown,
  saveSeenAgain,
  type KnownResource,
} from './detections.store.ts'

/** Maximum scripts, and maximum connections, of a zone: as many as a list can export. */
export const MAX_RESOURCES = 50_000
/** Evicts in chunks when the limit is reached: evicting one by one would scan the inventory each time. */
const EVICTION_CHUNK_SIZE = 250

export interface Detection {
  readonly zoneId: string
  readonly kind: ResourceKind
  /** Host of the pages. */
  readonly host: string
  readonly url: string
  readonly urlHost: string
  /** Whether the full path, which may not be stored, contains `/cdn-cgi/`. */
  readonly hasCdnCgi: boolean
  /** Newest first; empty = no page view, only a hash of a known resource. */
  readonly pageUrls: readonly string[]
  /** In whole seconds. */
  readonly seenAt: string
  readonly pageViews: number
  /** Hashes of contents that browsers ran, `sha256-…`. */
  readonly browserHashes: readonly string[]
  readonly reporters: Reporters
}

/** What happened to the detections of one zone. */
export interface Recorded {
  readonly stored: number
  /** New resources rejected because the limit is reached. */
  readonly refused: number
  /** Hashes that match no resource of the zone's inventory. */
  readonly unmatched: number
  /** New resources beyond the budgets of the networks that reported them. */
  readonly overBudget: number
}

type Outcome = keyof Recorded

export interface RecordingDeps extends BudgetDeps {
  /** Checks URLs against the threat feeds, so that listed resources are flagged when first recorded. */
  readonly judge: (db: Reader, urls: readonly string[]) => Promise<Judgement>
  /** Called after the commit, with resources that made room for new ones. */
  readonly noteEvicted: (zoneId: string, count: number) => void
}

export interface DetectionsDeps extends RecordingDeps {
  readonly storage: Storage
}

export function createDetections({ storage, ...deps }: DetectionsDeps) {
  return {
    /** Records a batch in one transaction. Skips zones that were deleted meanwhile. */
    record: (batch: readonly Detection[]): Promise<ReadonlyMap<string, Recorded>> =>
      storage.write((tx) => recordDetections(tx, deps, batch)),
  }
}

/** State shared by all detections of a zone in one batch. */
interface Context {
  readonly zoneId: string
  readonly retention: Retention
  readonly cutoffs: Cutoffs
  readonly addedAt: () => string
  readonly judge: RecordingDeps['judge']
  readonly fetchDueAt: string
  readonly budget: ReporterBudget
  /** Current number of resources, for the kinds counted so far. */
  readonly counts: Map<ResourceKind, number>
  /** Kinds with nothing left to evict. */
  readonly full: Set<ResourceKind>
  /** Resources of the batch that existed before it; updated as they are stored. */
  readonly known: Map<string, KnownResource>
  evicted: number
}

export async function recordDetections(
  tx: Transaction,
  deps: RecordingDeps,
  batch: readonly Detection[],
): Promise<ReadonlyMap<string, Recorded>> {
  const { clock, judge, noteEvicted } = deps
  const byZone = groupByZone(batch)
  const zones = await existingZones(tx, [...byZone.keys()])
  const recorded = new Map<string, Recorded>()
  for (const [zoneId, detections] of byZone) {
    if (!zones.has(zoneId)) continue
    const retention = await retentionOf(tx, zoneId)
    const identified = detections.map((detection) => ({ id: idOf(detection), detection }))
    const context: Context = {
      zoneId,
      retention,
      cutoffs: cutoffsAt(clock.now(), retention),
      addedAt: clock.timestamp,
      judge,
      fetchDueAt: wholeSeconds(clock.now()),
      budget: createReporterBudget(tx, deps, zoneId),
      counts: new Map(),
      full: new Set(),
      known: new Map(
        await findKnown(
          tx,
          identified.map(({ id }) => id),
        ),
      ),
      evicted: 0,
    }
    const outcomes = { stored: 0, refused: 0, unmatched: 0, overBudget: 0 }
    for (const { id, detection } of identified) {
      outcomes[await recordOne(tx, context, detection, context.known.get(id))] += 1
      await tx.yieldIfDue()
    }
    await context.budget.save()
    recorded.set(zoneId, outcomes)
    if (context.evicted > 0) tx.onCommit(() => noteEvicted(zoneId, context.evicted))
  }
  return recorded
}

function groupByZone(batch: readonly Detection[]): ReadonlyMap<string, readonly Detection[]> {
  const byZone = new Map<string, Detection[]>()
  for (const detection of batch) {
    const own = byZone.get(detection.zoneId)
    if (own === undefined) byZone.set(detection.zoneId, [detection])
    else own.push(detection)
  }
  return byZone
}

const idOf = ({ zoneId, kind, host, url }: Detection): string => resourceId(zoneId, kind, host, url)

async function recordOne(
  tx: Transaction,
  context: Context,
  detection: Detection,
  known: KnownResource | undefined,
): Promise<Outcome> {
  if (known !== undefined && !isForgotten(known, context.cutoffs)) {
    await seeAgain(tx, context, known, detection)
    return 'stored'
  }
  if (known !== undefined) {
    await deleteResource(tx, known.id)
    context.known.delete(known.id)
  }
  const one = await withoutTooManyVariants(tx, context, detection)
  // A batch may contain a resource twice, and a collapsed variant may equal a known resource.
  const id = idOf(one)
  const present = (await findKnown(tx, [id])).get(id)
  if (present !== undefined) {
    await seeAgain(tx, context, present, one)
    return 'stored'
  }
  if (one.pageUrls.length === 0) return 'unmatched'
  // Before others are evicted: a client that reports invented resources must not displace them.
  if (!(await context.budget.admits(one.reporters, 'resources'))) return 'overBudget'
  const count = await countWithCapacity(tx, context, one.kind)
  if (count >= MAX_RESOURCES) return 'refused'
  await add(tx, context, id, one)
  context.counts.set(one.kind, count + 1)
  return 'stored'
}

/**
 * Counts the resources of a kind. At the limit, evicts infrequent resources not seen for longest: otherwise
 * an attacker who invents URLs could block new resources for days.
 */
async function countWithCapacity(tx: Transaction, context: Context, kind: ResourceKind): Promise<number> {
  const { zoneId, retention, counts, full, known } = context
  const count = counts.get(kind) ?? (await countResources(tx, zoneId, kind))
  counts.set(kind, count)
  if (count < MAX_RESOURCES || full.has(kind)) return count
  const ids = await displaceable(tx, { zoneId, kind, ...retention }, EVICTION_CHUNK_SIZE)
  if (ids.length === 0) full.add(kind)
  context.evicted += ids.length
  for (const id of ids) {
    await deleteResource(tx, id)
    known.delete(id)
  }
  return count - ids.length
}

async function seeAgain(
  tx: Transaction,
  { fetchDueAt, known: all, budget }: Context,
  known: KnownResource,
  { hasCdnCgi, seenAt, pageViews, pageUrls, browserHashes, urlHost, reporters }: Detection,
): Promise<void> {
  const { soleReporter: sole } = known
  const isConfirmed = sole !== null && (await budget.confirms(known.id, sole, reporters))
  const seen: KnownResource = {
    id: known.id,
    lastSeenAt: seenAt > known.lastSeenAt ? seenAt : known.lastSeenAt,
    pageViews: known.pageViews + pageViews,
    pageUrls: mergePages(pageUrls, known.pageUrls),
    // One request for another path proves that the host is not only used for /cdn-cgi/.
    hasCdnCgi: known.hasCdnCgi && hasCdnCgi,
    soleReporter: isConfirmed ? null : sole,
  }
  await saveSeenAgain(tx, seen)
  if (isConfirmed) await queueFetch(tx, known.id, fetchDueAt, siteOf(urlHost))
  all.set(seen.id, seen)
  await saveBrowserHashes(tx, known.id, browserHashes, seenAt, fetchDueAt)
}

async function withoutTooManyVariants(
  tx: Transaction,
  { retention }: Context,
  detection: Detection,
): Promise<Detection> {
  const stem = variantStem(detection.url)
  if (stem === undefined) return detection
  const count = await countVariants(tx, { ...detection, stem }, retention.maxQueryVariants)
  return count < retention.maxQueryVariants ? detection : { ...detection, url: collapseStem(stem) }
}

async function add(tx: Transaction, context: Context, id: string, detection: Detection): Promise<void> {
  const { zoneId, kind, host, url, urlHost, hasCdnCgi, seenAt, pageViews, pageUrls, browserHashes } =
    detection
  const { feedVersion, verdicts } = await context.judge(tx, [url])
  const [verdict = NOT_REPORTED] = verdicts
  const addedAt = context.addedAt()
  const pageUrl = pageUrls.at(-1)
  if (pageUrl === undefined) throw new Error(`a detection of ${url} names no page`)
  const isScript = kind === 'script'
  const soleReporter = isScript ? await context.budget.soleReporter(id, detection.reporters) : null
  const isFetched = isScript && soleReporter === null
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
    fetchDueAt: isFetched ? context.fetchDueAt : null,
    waitingSite: isFetched ? siteOf(urlHost) : null,
    fetchLeasedUntil: null,
    fetchFailures: 0,
    fetchProblem: null,
    fetchMemory: null,
    soleReporter,
  }
  await insertResource(tx, resource)
  const event = { zoneId, at: addedAt, resourceId: id, url, host, pageUrl, previousHash: null, hash: null }
  await insertEvent(tx, { ...event, kind: `${kind}.new` })
  if (isReported(verdict)) await insertEvent(tx, { ...event, kind: `${kind}.reported` })
  await saveBrowserHashes(tx, id, browserHashes, seenAt, context.fetchDueAt)
}

const NOT_REPORTED = { domainCategories: null, urlCategories: null }
