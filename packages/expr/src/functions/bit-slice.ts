// bit_slice(data, offset, length)
import { toInt } from '../int.ts'
import { INT } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, anyInt } from './parameters.ts'

const MAX_OFFSET_BITS = 2040
const MAX_SLICE_BITS = 32

/** The bits as a number, most significant first; undefined if they are outside the data or the limits. */
function sliceBits(data: string, offset: number, length: number): number | undefined {
  const isWithin = offset >= 0 && offset <= MAX_OFFSET_BITS && length >= 1 && length <= MAX_SLICE_BITS
  if (!isWithin || offset + length > data.length * 8) return undefined
  let value = 0
  for (let bit = offset; bit < offset + length; bit += 1) {
    value = value * 2 + ((data.charCodeAt(bit >>> 3) >>> (7 - (bit & 7))) & 1)
  }
  return value
}

export const bitSlice = defineFunction({
  name: 'bit_slice',
  summary: 'A big-endian bit field of 1 to 32 bits, at an offset of up to 2040 bits; nil outside the data.',
  parameters: [anyBytes('data'), anyInt('offset'), anyInt('length')],
  returns: INT,
  implement:
    () =>
    ([data, offset, length]) => {
      if (typeof data !== 'string' || typeof offset !== 'number' || typeof length !== 'number')
        return undefined
      const bits = sliceBits(data, offset, length)
      return bits === undefined ? undefined : toInt(bits)
    },
})
