// set_cache_tags: gives a response tags by which it can be purged from the cache.
import { expression, listOf, members, oneOf, text } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const setCacheTags = defineAction({
  parameters: members(
    {
      operation: oneOf('add', 'remove', 'set'),
      values: listOf(text(), { atLeast: 1, atMost: 100 }),
      expression: expression('list'),
    },
    { required: ['operation'], atLeast: 2, atMost: 2 },
  ),
  needsParameters: true,
  terminates: false,
})
