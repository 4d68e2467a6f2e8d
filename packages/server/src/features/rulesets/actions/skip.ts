// skip: leaves out rules that would come later, of one or several of these kinds.
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

/** `action_parameters` of a skip rule, of the shape below. */
export interface SkipParameters {
  readonly ruleset?: 'current'
  readonly phase?: 'current'
  readonly phases?: readonly string[]
  readonly products?: readonly string[]
  readonly rulesets?: readonly string[]
  /** Ids of rules by the id of their ruleset. */
  readonly rules?: Readonly<Record<string, readonly string[]>>
}

/** Members that cannot stand beside each other. */
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
