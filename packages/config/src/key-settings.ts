// Settings of the keys that sign zones.
import { oneOf, parseDuration, setting } from './setting.ts'

/** A rollover takes some days itself. */
const parseKeyDays = (text: string, minimum: number): number =>
  text === '0' ? 0 : parseDuration(text, 'day', minimum, 3650)

export const KEY_SETTINGS = {
  dnssecAlgorithm: setting({
    name: 'dnssec-algorithm',
    placeholder: 'name',
    description: 'algorithm for zones that are signed from now on: ECDSAP256SHA256 or ED25519',
    default: 'ECDSAP256SHA256',
    parse: (text) => oneOf(text.toUpperCase(), ['ECDSAP256SHA256', 'ED25519']),
  }),
  zskDays: setting({
    name: 'zsk-days',
    placeholder: 'days',
    description: 'days after which the zone-signing key of a zone is rolled over, 7 to 3650; 0: never',
    default: '0',
    parse: (text) => parseKeyDays(text, 7),
  }),
  kskDays: setting({
    name: 'ksk-days',
    placeholder: 'days',
    description:
      'days after which the key-signing key is rolled over, for parents that follow CDS, 30 to 3650; 0: never',
    default: '0',
    parse: (text) => parseKeyDays(text, 30),
  }),
} as const
