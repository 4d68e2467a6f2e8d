// execute: runs another ruleset, with overrides for its rules.
import { flag, integer, listOf, members, oneOf, text, where, type Shape } from '../parameter-shape.ts'
import { pointerTo, repeatedAt, valueIssue } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

/** Actions that an override may set. */
export const OVERRIDE_ACTIONS = ['block', 'challenge', 'js_challenge', 'log', 'managed_challenge'] as const
export type OverrideAction = (typeof OVERRIDE_ACTIONS)[number]

const overriding = {
  action: oneOf(...OVERRIDE_ACTIONS),
  enabled: flag,
  sensitivity_level: oneOf('default', 'medium', 'low', 'eoff'),
}

export interface Override {
  readonly action?: OverrideAction
  readonly enabled?: boolean
  readonly sensitivity_level?: 'default' | 'medium' | 'low' | 'eoff'
}

/** Validated `action_parameters` of an execute rule. */
export interface ExecuteParameters {
  readonly id: string
  readonly version?: string
  readonly matched_data?: { readonly public_key: string }
  readonly overrides?: Override & {
    readonly categories?: readonly (Override & { readonly category: string })[]
    readonly rules?: readonly (Override & { readonly id: string; readonly score_threshold?: number })[]
  }
}

const each = (name: 'category' | 'id', shape: Shape): Shape =>
  where(listOf(shape, {}), (items: readonly Readonly<Record<string, string>>[], at) =>
    repeatedAt(items.map((item) => item[name])).map((index) =>
      valueIssue(pointerTo(pointerTo(at, index), name), items[index]?.[name], 'it occurs more than once'),
    ),
  )

export const execute = defineAction({
  parameters: members(
    {
      id: text(),
      version: text(),
      matched_data: members({ public_key: text() }, { required: ['public_key'] }),
      overrides: members({
        ...overriding,
        categories: each(
          'category',
          members({ category: text(), ...overriding }, { required: ['category'], atLeast: 2 }),
        ),
        rules: each(
          'id',
          members(
            { id: text(), ...overriding, score_threshold: integer(1) },
            { required: ['id'], atLeast: 2 },
          ),
        ),
      }),
    },
    { required: ['id'] },
  ),
  needsParameters: true,
  terminates: false,
})
