// transform_response_html: changes pages before they are sent to the client.
import { mapOf, members } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const transformResponseHtml = defineAction({
  parameters: members({ link_maze: mapOf(() => [], {}) }, { required: ['link_maze'] }),
  needsParameters: true,
  terminates: false,
})
