// The location of an address, from a database that the operator provides.
import { BOOL, BYTES, INT } from '../types.ts'
import { type CatalogField, configuredField } from './catalog-field.ts'
import type { GeoText } from './facts.ts'

const STRINGS: readonly GeoText[] = [
  'city',
  'continent',
  'country',
  'lat',
  'lon',
  'metro_code',
  'postal_code',
  'region',
  'region_code',
  'subdivision_1_iso_code',
  'subdivision_2_iso_code',
  'timezone.name',
]

/** Location strings that also have a field under the older prefix. */
const OLD_STRINGS: readonly GeoText[] = [
  'continent',
  'country',
  'subdivision_1_iso_code',
  'subdivision_2_iso_code',
]

function geoFields(prefix: string, strings: readonly GeoText[]): readonly CatalogField[] {
  return [
    configuredField(`${prefix}.asnum`, INT, 'geoip', ({ geo }) => geo?.().asnum),
    configuredField(`${prefix}.is_in_european_union`, BOOL, 'geoip', ({ geo }) => geo?.().isInEuropeanUnion),
    ...strings.map((text) =>
      configuredField(`${prefix}.${text}`, BYTES, 'geoip', ({ geo }) => geo?.().strings[text]),
    ),
  ]
}

export const GEO_FIELDS: readonly CatalogField[] = [
  ...geoFields('ip.src', STRINGS),
  ...geoFields('ip.geoip', OLD_STRINGS).map((field) => ({
    ...field,
    replacedBy: field.name.replace('ip.geoip', 'ip.src'),
  })),
]
