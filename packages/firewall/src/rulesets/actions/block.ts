// block: refuses the request, optionally with a custom response.
import { integer, members, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

/** Characters of a response's content. */
const MAX_CONTENT_LENGTH = 30_720

export const block = defineAction({
  parameters: members({
    response: members(
      { status_code: integer(400, 499), content: text(1, MAX_CONTENT_LENGTH), content_type: text() },
      { required: ['status_code', 'content', 'content_type'] },
    ),
  }),
  needsParameters: false,
  terminates: true,
})
