// The collector, wired: what it asks of the zones, where its batches go, and what is swept behind it.
import { causesOf, parsePolicyList, type ReportedViolation } from '@zonereeve/csp'
import { createCollector, type Batch, type Collector, type CollectorDeps } from '../collector/index.ts'
import { recordSightings, type PageShield } from '../features/page-shield/index.ts'
import { countReports, forgetViolations, MONITORING_POLICY } from '../features/page-shield-policies/index.ts'
import type { SecurityEvents } from '../features/security-events/index.ts'
import { judge } from '../features/threat-feeds/index.ts'
import { repeat, type Repetition } from '../jobs/repeat.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../storage/index.ts'

export interface CollectingDeps extends Omit<CollectorDeps, 'store' | 'isPossible' | 'flushMillis'> {
  readonly storage: Storage
}

export function createCollecting({ storage, ...deps }: CollectingDeps): Collector {
  const causesUnder = createPolicyReader()
  const collector = createCollector({
    ...deps,
    // Which browser sent it is not known: one that would is enough.
    isPossible: (cause) => causesUnder(cause.originalPolicy ?? MONITORING_POLICY)(cause),
    store: (batch) =>
      store(storage, { clock: deps.clock, judge, noteDisplaced: collector.noteDisplaced }, batch),
  })
  return collector
}

/** Policies whose texts were read last. A site has few, and each of its reports repeats one of them. */
const POLICIES_KNOWN = 256

/** Whether a policy, by its text, can have caused a report. The same text always says the same, so none grows old. */
function createPolicyReader(): (text: string) => (report: ReportedViolation) => boolean {
  const known = new Map<string, (report: ReportedViolation) => boolean>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= POLICIES_KNOWN) known.clear()
    const causes = causesOf(parsePolicyList(text))
    known.set(text, causes)
    return causes
  }
}

/** A batch in one transaction. */
function store(
  storage: Storage,
  deps: Parameters<typeof recordSightings>[1],
  { sightings, violations }: Batch,
) {
  return storage.write(async (tx) => {
    const recorded = await recordSightings(tx, deps, sightings)
    for (const zoneId of new Set(violations.map((violation) => violation.zoneId))) {
      const own = violations.filter((violation) => violation.zoneId === zoneId)
      await countReports(tx, zoneId, own)
    }
    return recorded
  })
}

const SWEEP_INTERVAL_MILLIS = 3_600_000

/** Deletes, now and every hour, what was not reported for long enough. */
export function startSweeping(
  { storage, clock, log }: Pick<CollectingDeps, 'storage' | 'clock' | 'log'>,
  pageShield: PageShield,
): Repetition {
  const run = async (): Promise<void> => {
    if ((await pageShield.sweep()) === undefined) return
    await storage.write((tx) => forgetViolations(tx, clock.now()))
  }
  return repeat({ name: 'page shield sweep', everyMillis: SWEEP_INTERVAL_MILLIS, run }, log)
}

/** Often: until then, a zone may have more events than it is to have. */
const EVENT_SWEEP_INTERVAL_MILLIS = 300_000

/** Deletes, now and every five minutes, security events that are too old or too many. Its end waits for no more of them. */
export function startEventSweep(events: SecurityEvents, log: Log): Repetition {
  const ending = new AbortController()
  const run = (): Promise<number> => events.sweep(ending.signal)
  const work = { name: 'security event sweep', everyMillis: EVENT_SWEEP_INTERVAL_MILLIS, run }
  const repetition = repeat(work, log)
  return {
    stop() {
      ending.abort()
      return repetition.stop()
    },
  }
}
