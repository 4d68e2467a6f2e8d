// Ray IDs: 16 random digits. Octets are drawn for many at once, because a call of the system for each request is noticeable.
import { randomFillSync } from 'node:crypto'

const ID_BYTES = 8
const drawn = Buffer.alloc(ID_BYTES * 512)
let used = drawn.length

export function newRayId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += ID_BYTES
  return drawn.toString('hex', used - ID_BYTES, used)
}
