// compress_response: which algorithms a response may be compressed with, in order.
import { listOf, members, oneOf } from '../parameter-shape.ts'
import { defineAction } from './action.ts'

export const compressResponse = defineAction({
  parameters: members(
    { algorithms: listOf(members({ name: oneOf('none', 'auto', 'default', 'gzip', 'brotli', 'zstd') })) },
    { required: ['algorithms'] },
  ),
  needsParameters: true,
  terminates: false,
})
