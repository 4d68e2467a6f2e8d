// The detector of all managed rules, created on first use.
import { coreRuleSet, prepareCoreRuleSet } from '../core-rule-set/core-rule-set.ts'
import { LEGACY_ALWAYS_ON } from '../legacy/legacy-packages.ts'
import { compileInBackground } from './background-compilation.ts'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { createDetector, type Detector } from './detector.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type { Detected, ManagedRule } from './managed-rule.ts'
import type { PatternSet } from '@zonereeve/seclang'

let made: Detector | undefined
const detector = (): Detector =>
  (made ??= createDetector(MANAGED_RULES.filter(({ detection }) => detection.kind !== 'incomplete')))

let madeAlwaysOn: Detector | undefined
/** Of the few rules that stay on without the others: the search for all of them costs many times as much. */
const alwaysOnDetector = (): Detector =>
  (madeAlwaysOn ??= createDetector(
    MANAGED_RULES.filter(({ legacy }) => legacy !== null && LEGACY_ALWAYS_ON.has(legacy.id)),
  ))

/** The same as `detect`, for a rule of `LEGACY_ALWAYS_ON` where most others are off. */
export const detectAlwaysOn = (rule: ManagedRule, request: InspectedRequest): Detected | null =>
  (detector().isOpen(request) ? detector() : alwaysOnDetector()).detect(rule, request)

/** The rules of patterns that can match the request, by `numberOfPatterns`; `detect` finds nothing for any other of them. */
export const possibleRules = (request: InspectedRequest): PatternSet => detector().possibleRules(request)

/** Undefined for rules of other kinds. */
export const numberOfPatterns = (rule: ManagedRule): number | undefined => detector().numberOf(rule)

/** What a managed rule finds in the request; null if it does not match. Pure: equal requests give equal results. */
export function detect(rule: ManagedRule, request: InspectedRequest): Detected | null {
  const { detection } = rule
  if (detection.kind === 'incomplete') return findCut(request, detection.level)
  if (detection.kind !== 'core-rule') return detector().detect(rule, request)
  const found = coreRuleSet()?.detect(detection.number, detection.level, request)
  return found ?? null
}

/** @param level undefined if the Core Rule Set is not executed: then it does not matter what it would inspect */
function findCut(request: InspectedRequest, level: number | undefined): Detected | null {
  const isWhole = (): boolean =>
    detector().isWhole(request) && (level === undefined || coreRuleSet()?.isWhole(request, level) !== false)
  const field = request.cutField() ?? (isWhole() ? undefined : fieldOfSpentWork(request))
  return field === undefined ? null : { field, excerpt: '', isIncomplete: true }
}

/**
 * A field of which a part was not inspected, because it is beyond a limit, or because the work on the request was spent
 * by the rules so far; undefined if there is none. Runs no rule.
 */
export const uninspectedField = (request: InspectedRequest): string | undefined =>
  request.cutField() ??
  (detector().isWholeSoFar(request) &&
  alwaysOnDetector().isWholeSoFar(request) &&
  coreRuleSet()?.isWholeSoFar(request) !== false
    ? undefined
    : fieldOfSpentWork(request))

/** The work is not counted by field. Without a body it was spent on the target. */
const fieldOfSpentWork = ({ facts }: InspectedRequest): string =>
  facts.body === undefined ? 'http.request.uri' : 'http.request.body.raw'

let warmed: Promise<void> | undefined

/**
 * Reads all rules in small chunks, once per process: without it, the first request waits for all of
 * it at once, and so does everything else. After that the patterns are compiled while nothing waits for them: a
 * request that needs one earlier compiles it itself, in a millisecond or two.
 */
export async function warmUpDetection(): Promise<void> {
  const own = detector()
  const isFirst = warmed === undefined
  await (warmed ??= own.warmUp().then(() => alwaysOnDetector().warmUp()))
  const core = coreRuleSet()
  if (core !== undefined) await prepareCoreRuleSet(core)
  if (isFirst) void compileInBackground([...alwaysOnDetector().patterns(), ...own.patterns()])
}
