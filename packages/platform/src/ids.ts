// IDs and secrets, injected so that tests can determine them.
import { randomBytes, randomUUID } from 'node:crypto'

export interface Ids {
  /** 32 lower-case hexadecimal digits: the form of every object ID on the wire. */
  id(): string
  /** Like {@link id}, but later IDs are greater: rows that are inserted together are neighbors in indexes. */
  risingId(): string
  /** A new API token value: 40 characters of `[A-Za-z0-9_-]`, 240 random bits. */
  tokenValue(): string
}

export function randomIds(now: () => number = Date.now): Ids {
  return {
    id: () => randomUUID().replaceAll('-', ''),
    risingId: createRisingIds(now),
    tokenValue: () => randomBytes(30).toString('base64url'),
  }
}

const MAX_IDS_PER_MILLISECOND = 0xf_ffff

/** Milliseconds since 1970 (12 digits), a counter (5), and digits that are random in each millisecond (15). */
function createRisingIds(now: () => number): () => string {
  let millis = 0
  let counter = 0
  let prefix = ''
  let suffix = ''
  return () => {
    const at = now()
    counter += 1
    if (at > millis || counter > MAX_IDS_PER_MILLISECOND) {
      // The clock may stand still or run backwards.
      millis = Math.max(at, millis + 1)
      counter = 0
      prefix = Math.trunc(millis).toString(16).padStart(12, '0')
      // Of its random digits, which are drawn many at a time.
      suffix = randomUUID().replaceAll('-', '').slice(17)
    }
    return `${prefix}${counter.toString(16).padStart(5, '0')}${suffix}`
  }
}
