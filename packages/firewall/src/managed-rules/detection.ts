// The detector of all managed rules, created on first use.
import { coreRuleSet, type CoreRuleSet } from '../core-rule-set/core-rule-set.ts'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { createDetector, type Detector } from './detector.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type { Detected, ManagedRule } from './managed-rule.ts'

let made: Detector | undefined
const detector = (): Detector =>
  (made ??= createDetector(MANAGED_RULES.filter(({ detection }) => detection.kind !== 'incomplete')))

/** What a managed rule finds in the request; null if it does not match. Pure: equal requests give equal results. */
export function detect(rule: ManagedRule, request: InspectedRequest): Detected | null {
  const { detection } = rule
  if (detection.kind === 'incomplete') return findCut(request)
  if (detection.kind !== 'core-rule') return detector().detect(rule, request)
  const found = coreRuleSet()?.detect(detection.number, detection.level, request)
  return found ?? null
}

function findCut(request: InspectedRequest): Detected | null {
  const field = request.cutField()
  if (field !== undefined) return { field, excerpt: '', isIncomplete: true }
  const isWhole = coreRuleSet()?.isWhole(request) !== false
  return isWhole ? null : { field: 'http.request.body.raw', excerpt: '', isIncomplete: true }
}

let warmed: Promise<void> | undefined
let warmedCore: CoreRuleSet | undefined

/**
 * Prepares everything in small chunks, once per process: without it, the first request waits for all of it at once,
 * and so does everything else.
 */
export async function warmUpDetection(): Promise<void> {
  await (warmed ??= detector().warmUp())
  const core = coreRuleSet()
  if (core === undefined || core === warmedCore) return
  warmedCore = core
  await core.warmUp()
}
