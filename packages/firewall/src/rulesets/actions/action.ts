// The definition of an action: its parameters, and whether later rules are still evaluated.
import type { Shape } from '../parameter-shape.ts'

export interface ActionDefinition {
  /** Of `action_parameters`. */
  readonly parameters: Shape
  /** True if the action requires parameters. */
  readonly needsParameters: boolean
  /** True if no later rule is evaluated. */
  readonly terminates: boolean
}

/** Identity function with types: definitions are checked where they are written. */
export const defineAction = (definition: ActionDefinition): ActionDefinition => definition
