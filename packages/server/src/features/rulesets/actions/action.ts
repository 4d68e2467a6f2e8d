// What an action declares: one object tells its parameters and whether the rules behind it are still looked at.
import type { Shape } from '../parameter-shape.ts'

export interface ActionDefinition {
  /** Of `action_parameters`. */
  readonly parameters: Shape
  /** True where the action means nothing without parameters. */
  readonly needsParameters: boolean
  /** True where no later rule is looked at. */
  readonly terminates: boolean
}

/** Identity with types: definitions are checked where they are written. */
export const defineAction = (definition: ActionDefinition): ActionDefinition => definition
