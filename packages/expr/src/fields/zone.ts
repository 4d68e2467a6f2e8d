// The zone that the request is for. Only conditions of the account level speak about it.
import { BYTES } from '../types.ts'
import { type CatalogField, computed } from './catalog-field.ts'

export const ZONE_FIELDS: readonly CatalogField[] = [
  computed('cf.zone.name', BYTES, ({ zone }) => zone?.name, 'account'),
  computed('cf.zone.plan', BYTES, ({ zone }) => zone?.plan, 'account'),
]
