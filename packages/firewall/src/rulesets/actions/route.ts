// route: sends a request to another origin.
import { integer, members, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const route = defineAction({
  parameters: members(
    {
      host_header: text(),
      origin: members({ host: text(), port: integer(1, 65_535) }, { atLeast: 1 }),
      sni: members({ value: text() }, { required: ['value'] }),
    },
    { atLeast: 1 },
  ),
  needsParameters: true,
  terminates: false,
})
