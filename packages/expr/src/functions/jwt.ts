// is_jwt_present(configuration), is_jwt_valid(configuration)
import { BOOL } from '../types.ts'
import { defineFunction } from './definition.ts'
import { literalBytes } from './parameters.ts'

export const isJwtPresent = defineFunction({
  name: 'is_jwt_present',
  summary: 'Whether the request carries a token for the token configuration.',
  parameters: [literalBytes('configuration id')],
  returns: BOOL,
  usesHost: true,
  implement:
    () =>
    ([id], host) =>
      typeof id === 'string' ? host.jwt?.(id).present : undefined,
})

export const isJwtValid = defineFunction({
  name: 'is_jwt_valid',
  summary: 'Whether that token is valid.',
  parameters: [literalBytes('configuration id')],
  returns: BOOL,
  usesHost: true,
  implement:
    () =>
    ([id], host) =>
      typeof id === 'string' ? host.jwt?.(id).valid : undefined,
})
