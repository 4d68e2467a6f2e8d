// The zone of the request. Only account-level conditions use it.
import { BYTES } from '../types.ts'
import { type CatalogField, computedField } from './catalog-field.ts'

export const ZONE_FIELDS: readonly CatalogField[] = [
  computedField('cf.zone.name', BYTES, ({ zone }) => zone?.name, 'account'),
  computedField('cf.zone.plan', BYTES, ({ zone }) => zone?.plan, 'account'),
]
