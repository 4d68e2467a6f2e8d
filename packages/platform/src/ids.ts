// IDs and secrets, injected so that tests can determine them.
import { randomBytes, randomUUID } from 'node:crypto'

export interface Ids {
  /** 32 lower-case hexadecimal digits: the form of every object ID on the wire. */
  id(): string
  /** A new API token value: 40 characters of `[A-Za-z0-9_-]`, 240 random bits. */
  tokenValue(): string
}

export function randomIds(): Ids {
  return {
    id: () => randomUUID().replaceAll('-', ''),
    tokenValue: () => randomBytes(30).toString('base64url'),
  }
}
