// What may be wrong with a zone, and who may know it.

const MAY_READ_DNS = ['DNS Read', 'DNS Write']
export const MAY_READ_ZONE = ['Zone Read', 'Zone Write']

export const MAY_READ = {
  unreadable: MAY_READ_ZONE,
  transfer_failed: MAY_READ_DNS,
  secondaries_behind: MAY_READ_DNS,
  malicious: ['Domain Page Shield Read', 'Domain Page Shield', 'Zone Settings Read', 'Zone Settings Write'],
} satisfies Record<string, readonly string[]>

export type AttentionReason = keyof typeof MAY_READ

export const REASONS = Object.keys(MAY_READ) as AttentionReason[] // as it is written above
