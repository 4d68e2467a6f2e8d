// score: adds to the sum that a later rule of the ruleset compares.
import { integer, members } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const score = defineAction({
  parameters: members({ increment: integer() }, { required: ['increment'] }),
  needsParameters: true,
  terminates: false,
})
