// The detector of the whole catalogue, made when it is first asked.
import { MANAGED_RULES } from './catalogue/registry.ts'
import { createDetector, type Detector } from './detector.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type { Detected, ManagedRule } from './managed-rule.ts'

let made: Detector | undefined
const detector = (): Detector => (made ??= createDetector(MANAGED_RULES))

/** What a rule of the catalogue finds in the request; null where it does not match. Pure: equal requests, equal answers. */
export const detect = (rule: ManagedRule, request: InspectedRequest): Detected | null =>
  detector().detect(rule, request)

let warmed: Promise<void> | undefined

/**
 * Makes everything ready in small pieces, once for the program: a request that is judged before waits for all of it in
 * one go, and so does everything else.
 */
export const warmUpDetection = (): Promise<void> => (warmed ??= detector().warmUp())
