// What may be wrong with a zone, and who may know it.
import { MAY_READ } from '@zonereeve/platform'

export const READERS = {
  unreadable: MAY_READ.zone,
  transfer_failed: MAY_READ.dns,
  secondaries_behind: MAY_READ.dns,
  malicious: MAY_READ.monitoring,
} satisfies Record<string, readonly string[]>

export type AttentionReason = keyof typeof READERS

export const REASONS = Object.keys(READERS) as AttentionReason[] // as it is written above
