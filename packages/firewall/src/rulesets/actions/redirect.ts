// redirect: redirects to another URL, from a list or computed from the request.
import { expression, flag, members, oneOf, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const redirect = defineAction({
  parameters: members(
    {
      from_list: members({ name: text(0), key: expression() }, { required: ['name', 'key'] }),
      from_value: members(
        {
          preserve_query_string: flag,
          status_code: oneOf(301, 302, 303, 307, 308),
          target_url: members({ expression: expression(), value: text() }, { atLeast: 1, atMost: 1 }),
        },
        { required: ['target_url'] },
      ),
    },
    { atLeast: 1, atMost: 1 },
  ),
  needsParameters: true,
  terminates: true,
})
