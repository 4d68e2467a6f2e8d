// Predictable IDs for tests: counted, in the form of real ones.
import type { Ids } from '@zonereeve/platform'

const TOKEN_LENGTH = 40

/** IDs 00…01, 00…02 and so on, and token values that end with their number. */
export function countedIds(): Ids {
  let ids = 0
  let tokens = 0
  const id = () => String((ids += 1)).padStart(32, '0')
  return {
    id,
    risingId: id,
    tokenValue: () => String((tokens += 1)).padStart(TOKEN_LENGTH, 'secret_'),
  }
}
