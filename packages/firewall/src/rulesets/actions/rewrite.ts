// rewrite: changes the path or query of a request, or the headers of a request or response.
import { rewriteIssues } from '../../transforms/rewrite-issues.ts'
import { byMember, expression, flag, mapOf, members, oneOf, text, where } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const setting = members(
  { operation: oneOf('add', 'set'), value: text(), expression: expression() },
  { atLeast: 2, atMost: 2 },
)
const header = byMember('operation', {
  add: setting,
  set: setting,
  remove: members({ operation: oneOf('remove') }),
})

export const rewrite = defineAction({
  parameters: where(
    members(
      {
        headers: mapOf(header),
        uri: members(
          {
            origin: flag,
            path: members({ expression: expression(), value: text() }, { atLeast: 1, atMost: 1 }),
            query: members({ expression: expression(), value: text(0) }, { atLeast: 1, atMost: 1 }),
          },
          { atLeast: 1 },
        ),
      },
      { atLeast: 1 },
    ),
    (sent: Parameters<typeof rewriteIssues>[0], at, { phase }) => rewriteIssues(sent, at, phase),
  ),
  needsParameters: true,
  terminates: false,
})
