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

/** Makes everything ready, so that the first request need not wait for it. Other work goes on in between. */
export const warmUpDetection = (signal?: AbortSignal): Promise<void> => detector().warmUp(signal)
