// The envelope around every JSON reply (specification §2.1, §7).
import { Type, type Static, type TSchema } from 'typebox'
import { namedObject } from './primitives.ts'

export const WireIssue = Type.Object(
  {
    code: Type.Integer({ description: 'Stable error code for clients.' }),
    message: Type.String(),
    documentation_url: Type.Optional(Type.String()),
    source: Type.Optional(
      Type.Object({ pointer: Type.String({ description: 'JSON pointer (RFC 6901) to the invalid field.' }) }),
    ),
    meta: Type.Optional(Type.Object({ id: Type.String({ description: 'The obstacle.' }) })),
    type: Type.Optional(Type.Null()),
    error_chain: Type.Optional(Type.Array(Type.Object({ code: Type.Integer(), message: Type.String() }))),
  },
  { $id: 'Issue', title: 'Issue', description: 'One error, or one message in addition to a result.' },
)
export type WireIssue = Static<typeof WireIssue>

export const ResultInfo = namedObject('ResultInfo', {
  page: Type.Integer({ minimum: 1 }),
  per_page: Type.Integer({ minimum: 1 }),
  count: Type.Integer({ minimum: 0, description: 'Items in this page.' }),
  total_count: Type.Integer({ minimum: 0 }),
  total_pages: Type.Integer({ minimum: 1, description: '1 for an empty list.' }),
  is_complete: Type.Optional(
    Type.Boolean({
      description: 'Of lists that count up to a limit: false if `total_count` may leave some out.',
    }),
  ),
})
export type ResultInfo = Static<typeof ResultInfo>

export const CursorInfo = namedObject('CursorInfo', {
  cursor: Type.String({ description: 'Same as `cursors.after`.' }),
  cursors: Type.Object({
    after: Type.String({ description: 'Send it as `cursor` to get the next page.' }),
  }),
})

/** Schema of a success reply with `result`. */
export function successEnvelope(result: TSchema, list: boolean | 'cursor'): TSchema {
  return Type.Object({
    result: list === false ? result : Type.Array(result),
    success: Type.Literal(true),
    errors: Type.Array(WireIssue, { maxItems: 0 }),
    messages: Type.Array(WireIssue),
    ...(list === true ? { result_info: ResultInfo } : {}),
    ...(list === 'cursor' ? { result_info: Type.Optional(CursorInfo) } : {}),
  })
}

export const FailureEnvelope = namedObject('Failure', {
  result: Type.Null(),
  success: Type.Literal(false),
  errors: Type.Array(WireIssue, { minItems: 1 }),
  messages: Type.Array(WireIssue),
})
