// serve_error: answers with a custom error page.
import { integer, members, oneOf, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const MAX_CONTENT_LENGTH = 30_720

export const serveError = defineAction({
  parameters: members(
    {
      asset_name: text(),
      content: text(1, MAX_CONTENT_LENGTH),
      content_type: oneOf('application/json', 'text/html', 'text/plain', 'text/xml'),
      status_code: integer(400, 999),
    },
    { required: ['content_type'], atLeast: 2 },
  ),
  needsParameters: true,
  terminates: true,
})
