// skip: skips later rules of one or several kinds.
import { listOf, mapOf, members, oneOf, pointerTo, text, where } from '../parameter-shape.ts'
import { PHASES } from '../phases.ts'
import { defineAction } from './action.ts'

export const SKIPPED_PRODUCTS = [
  'bic',
  'hot',
  'rateLimit',
  'securityLevel',
  'uaBlock',
  'waf',
  'zoneLockdown',
] as const

/** Validated `action_parameters` of a skip rule. */
export interface SkipParameters {
  readonly ruleset?: 'current'
  readonly phase?: 'current'
  readonly phases?: readonly string[]
  readonly products?: readonly string[]
  readonly rulesets?: readonly string[]
  /** Rule IDs by the ID of their ruleset. */
  readonly rules?: Readonly<Record<string, readonly string[]>>
}

/** Members that exclude each other. */
const EXCLUDING = [
  ['rulesets', 'ruleset'],
  ['rulesets', 'phases'],
  ['rules', 'ruleset'],
] as const

export const skip = defineAction({
  parameters: where(
    members(
      {
        ruleset: oneOf('current'),
        phase: oneOf('current'),
        phases: listOf(oneOf(...Object.keys(PHASES))),
        products: listOf(oneOf(...SKIPPED_PRODUCTS)),
        rulesets: listOf(text()),
        rules: mapOf(listOf(text())),
      },
      { atLeast: 1 },
    ),
    (sent: SkipParameters, at) =>
      EXCLUDING.filter(([one, other]) => sent[one] !== undefined && sent[other] !== undefined).map(
        ([one, other]) => ({
          reason: 'ruleset.excluding',
          pointer: pointerTo(at, one),
          values: { one, other },
        }),
      ),
  ),
  needsParameters: true,
  terminates: false,
})
