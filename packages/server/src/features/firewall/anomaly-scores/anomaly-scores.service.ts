// Counts requests by their anomaly score, so that an operator can choose a threshold by the zone's own traffic. Counts
// wait in memory for the next run of the job: a killed server loses those of the last seconds.
import {
  findManaged,
  MAX_COUNTED_SCORE,
  OFFERED_THRESHOLDS,
  OWASP_RULESET_ID,
  type Firewall,
} from '@zonereeve/firewall'
import type { Clock } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { findZone, requireZone } from '../../zones/index.ts'
import { addScore, deleteScoresBefore, scoresSince, type ScoreCount } from './anomaly-scores.store.ts'

const DAY_MILLIS = 86_400_000
/** Older days are deleted. */
const KEPT_DAYS = 90

export interface ZoneScores {
  /** First day, as in `2026-01-05`. */
  readonly since: string
  /** Name of the ruleset in use. */
  readonly ruleset: string
  /** null if the zone does not execute it. */
  readonly threshold: number | null
  readonly requests: number
  readonly thresholds: readonly { readonly threshold: number; readonly requests: number }[]
  readonly scores: readonly ScoreCount[]
}

export type AnomalyScores = ReturnType<typeof createAnomalyScores>

export interface AnomalyScoresDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly firewallOf: (zoneId: string) => Promise<Firewall>
}

export function createAnomalyScores({ storage, clock, firewallOf }: AnomalyScoresDeps) {
  /** By zone, then by score. */
  let waiting = new Map<string, Map<number, number>>()
  return { note, get, save, sweep }

  /** Counts requests with a score; those without one are not counted. */
  function note(zoneId: string, { score, requests }: ScoreCount): void {
    if (score <= 0) return
    const counted = Math.min(score, MAX_COUNTED_SCORE)
    const own = waiting.get(zoneId) ?? new Map<number, number>()
    waiting.set(zoneId, own)
    own.set(counted, (own.get(counted) ?? 0) + requests) // the first one
  }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string, days: number): Promise<ZoneScores> {
    await requireZone(storage, zoneId)
    const since = dayBefore(days - 1)
    const scores = await scoresSince(storage, zoneId, since)
    const reaching = (threshold: number): number =>
      scores.filter(({ score }) => score >= threshold).reduce((sum, { requests }) => sum + requests, 0)
    return {
      since,
      ruleset: String(findManaged(OWASP_RULESET_ID)?.name),
      threshold: thresholdOf(await firewallOf(zoneId)),
      requests: reaching(1),
      thresholds: OFFERED_THRESHOLDS.map((threshold) => ({ threshold, requests: reaching(threshold) })),
      scores,
    }
  }

  /** Stores what waits; what cannot be stored waits for the next time. */
  async function save(): Promise<void> {
    if (waiting.size === 0) return
    const saved = waiting
    waiting = new Map()
    const day = dayBefore(0)
    try {
      await storage.write(async (tx) => {
        for (const [zoneId, own] of saved) {
          if ((await findZone(tx, zoneId)) === undefined) continue
          for (const [score, requests] of own) await addScore(tx, zoneId, { day, score, requests })
        }
      })
    } catch (error) {
      for (const [zoneId, own] of saved)
        for (const [score, requests] of own) note(zoneId, { score, requests })
      throw error
    }
  }

  /** Deletes days that are no longer kept. */
  async function sweep(): Promise<void> {
    await storage.write((tx) => deleteScoresBefore(tx, dayBefore(KEPT_DAYS)))
  }

  function dayBefore(days: number): string {
    return new Date(clock.now() - days * DAY_MILLIS).toISOString().slice(0, 'YYYY-MM-DD'.length)
  }
}

/** Of the first rule of the zone, else of its account, that executes the ruleset. */
function thresholdOf({ entryPoints }: Firewall): number | null {
  const phase = 'http_request_firewall_managed'
  for (const level of ['zone', 'account'] as const) {
    const rules = entryPoints[level].get(phase)?.rules
    const rule = rules?.find(({ execution }) => execution?.rulesetId === OWASP_RULESET_ID)
    const evaluating = rule?.execution?.managed?.find(({ threshold }) => threshold !== undefined)
    if (evaluating?.threshold !== undefined) return evaluating.threshold
  }
  return null
}
