// Where an address lies, out of a database that the operator provides.
import { BOOL, BYTES, INT } from '../types.ts'
import { type CatalogField, configured } from './catalog-field.ts'
import type { GeoText } from './facts.ts'

const TEXTS: readonly GeoText[] = [
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

/** Texts that also have a field under the older prefix. */
const OLD_TEXTS: readonly GeoText[] = [
  'continent',
  'country',
  'subdivision_1_iso_code',
  'subdivision_2_iso_code',
]

function geoFields(prefix: string, texts: readonly GeoText[]): readonly CatalogField[] {
  return [
    configured(`${prefix}.asnum`, INT, 'geoip', ({ geo }) => geo?.asnum),
    configured(`${prefix}.is_in_european_union`, BOOL, 'geoip', ({ geo }) => geo?.isInEuropeanUnion),
    ...texts.map((text) => configured(`${prefix}.${text}`, BYTES, 'geoip', ({ geo }) => geo?.texts[text])),
  ]
}

export const GEO_FIELDS: readonly CatalogField[] = [
  ...geoFields('ip.src', TEXTS),
  ...geoFields('ip.geoip', OLD_TEXTS).map((field) => ({
    ...field,
    replacedBy: field.name.replace('ip.geoip', 'ip.src'),
  })),
]
