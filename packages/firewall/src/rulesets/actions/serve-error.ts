// serve_error: answers with a custom error page.
import { integer, members, oneOf, text, textOfBytes } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

/** Of a page. HAProxy gets it in one frame. */
const MAX_CONTENT_BYTES = 30_720

export const serveError = defineAction({
  parameters: members(
    {
      asset_name: text(),
      content: textOfBytes(MAX_CONTENT_BYTES),
      content_type: oneOf('application/json', 'text/html', 'text/plain', 'text/xml'),
      status_code: integer(400, 999),
    },
    { required: ['content_type'], atLeast: 2 },
  ),
  needsParameters: true,
  terminates: true,
})
