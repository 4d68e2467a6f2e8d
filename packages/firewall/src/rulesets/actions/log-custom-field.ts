// log_custom_field: the headers and cookies in a log line.
import { flag, listOf, members, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

const names = listOf(members({ name: text() }, { required: ['name'] }))
const headers = listOf(members({ name: text(), preserve_duplicates: flag }, { required: ['name'] }))

export const logCustomField = defineAction({
  parameters: members(
    {
      cookie_fields: names,
      raw_response_fields: headers,
      request_fields: names,
      response_fields: headers,
      transformed_request_fields: names,
    },
    { atLeast: 1 },
  ),
  needsParameters: true,
  terminates: false,
})
