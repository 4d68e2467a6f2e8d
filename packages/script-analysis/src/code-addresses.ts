// Addresses that contain the code that they load: of a blob, or `data:`.
import { decodeBase64 } from './encodings.ts'
import { MAX_TEXT_LENGTH } from './limits.ts'
import type { Machine } from './machine.ts'
import { isUnknown, type Value, weightOf, wholeText } from './values.ts'

/** Where a blob keeps what it was made of. */
export const BLOB_PARTS = ' parts'
/** Where an address keeps its blob. */
export const BLOB = ' blob'

const DATA = /^data:[^,]{0,100},/iu

/** The code behind an address; undefined: another address, or the code is unknown. */
export function codeBehind(machine: Machine, address: Value): string | undefined {
  if (typeof address === 'string') {
    machine.spend(address.length >> 3)
    return codeOfData(address)
  }
  const blob = isUnknown(address) ? address.entries?.get(BLOB) : undefined
  const parts = isUnknown(blob) ? blob.entries?.get(BLOB_PARTS) : undefined
  if (typeof parts !== 'object' || parts?.kind !== 'array') return undefined
  machine.spend(parts.items.length + weightOf(parts))
  const texts = parts.items.map((part) => wholeText(part))
  if (texts.includes(undefined)) return undefined
  const code = texts.join('').slice(0, MAX_TEXT_LENGTH)
  machine.spend(code.length >> 4)
  return code
}

function codeOfData(address: string): string | undefined {
  const [head] = DATA.exec(address) ?? []
  if (head === undefined) return undefined
  const rest = address.slice(head.length)
  if (/;base64,$/iu.test(head)) return decodeBase64(rest) ?? undefined
  try {
    return decodeURIComponent(rest)
  } catch {
    // A percent sign of the code itself: browsers leave it as it is.
    return rest
  }
}
