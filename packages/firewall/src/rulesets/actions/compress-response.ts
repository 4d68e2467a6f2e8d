// compress_response: the algorithms with which a response may be compressed, in order.
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
