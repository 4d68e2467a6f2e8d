// What the operator has configured, for fields that need it.
import type { Configuration } from '@zonereeve/expr'
import { leakedPasswords } from './credentials/leaked-passwords.ts'
import { locations } from './locations.ts'
import { verifiedBots } from './verified-bots.ts'

export const configuredFeatures = (): readonly Configuration[] => [
  ...(leakedPasswords() === undefined ? [] : (['leaked-passwords'] as const)),
  ...(locations() === undefined ? [] : (['geoip'] as const)),
  ...(verifiedBots() === undefined ? [] : (['verified-bots'] as const)),
]

/** Fields that stored rules may use, whatever is configured now: a rule must not fail to compile elsewhere. */
export const EVERY_FEATURE: readonly Configuration[] = ['leaked-passwords', 'geoip', 'verified-bots']
