// Actions without parameters.
import { members } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const none = members({})

export const stopping = defineAction({ parameters: none, needsParameters: false, terminates: true })
export const noting = defineAction({ parameters: none, needsParameters: false, terminates: false })
