// The detector of all managed rules, created on first use.
import { MANAGED_RULES } from './catalogue/registry.ts'
import { createDetector, type Detector } from './detector.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type { Detected, ManagedRule } from './managed-rule.ts'

let made: Detector | undefined
const detector = (): Detector => (made ??= createDetector(MANAGED_RULES))

/** What a managed rule finds in the request; null if it does not match. Pure: equal requests give equal results. */
export const detect = (rule: ManagedRule, request: InspectedRequest): Detected | null =>
  detector().detect(rule, request)

let warmed: Promise<void> | undefined

/**
 * Prepares everything in small chunks, once per process: without it, the first request waits for all of it at once,
 * and so does everything else.
 */
export const warmUpDetection = (): Promise<void> => (warmed ??= detector().warmUp())
