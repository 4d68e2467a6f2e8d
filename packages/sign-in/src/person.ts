// Who a person at an identity provider is here: e-mail address, name and role, as the operator configured it.
import { ROLES, type Role } from './roles.ts'
import type { Claims } from './provider.ts'

/** Roles by the values of a claim. */
export interface RoleMapping {
  readonly claim: string
  readonly roles: ReadonlyMap<string, Role>
}

export interface PersonRules {
  /** Domains of e-mail addresses; none = any. */
  readonly domains: readonly string[]
  /** undefined = the provider does not determine roles. */
  readonly mapping: RoleMapping | undefined
}

export interface Person {
  /** Lower case; undefined unless the provider verified it. */
  readonly email: string | undefined
  readonly name: string | null
  /** undefined = not determined by the provider. */
  readonly role: Role | undefined
}

/** Why a person may not sign in here. */
export type PersonProblem = 'domain' | 'role'

const EMAIL = /^[^\s@]{1,64}@([^\s@]{1,253})$/
const MAX_NAME = 100

/** The strongest role of all values of the claim. */
export function personOf(claims: Claims, { domains, mapping }: PersonRules): Person | PersonProblem {
  const { email: address, email_verified: isVerified, name } = claims
  const found = typeof address === 'string' && isVerified === true ? EMAIL.exec(address.toLowerCase()) : null
  if (domains.length > 0 && !domains.includes(found?.[1] ?? 'none')) return 'domain'
  const role = mapping && roleIn(claims[mapping.claim], mapping)
  if (mapping !== undefined && role === undefined) return 'role'
  return {
    email: found?.[0],
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, MAX_NAME) : null,
    role,
  }
}

function roleIn(claim: unknown, { roles }: RoleMapping): Role | undefined {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  const held = new Set(values.map((value) => (typeof value === 'string' ? roles.get(value) : undefined)))
  return ROLES.find((role) => held.has(role))
}

/** Reads `groups:dns-admins=admin,staff=viewer`. @throws Error that says what would be valid. Undefined for an empty text. */
export function parseRoleMapping(text: string): RoleMapping | undefined {
  if (text === '') return undefined
  const at = text.indexOf(':')
  const entries = text
    .slice(at + 1)
    .split(',')
    .map((pair) => {
      const equals = pair.lastIndexOf('=')
      const role = ROLES.find((each) => each === pair.slice(equals + 1).trim())
      return [pair.slice(0, equals).trim(), role] as const
    })
  const roles = new Map(
    entries.flatMap(([value, role]) => (role === undefined ? [] : [[value, role] as const])),
  )
  if (at < 1 || roles.size !== entries.length || roles.has(''))
    throw new Error(`must be CLAIM:VALUE=ROLE,…, like groups:dns-admins=admin; roles are ${ROLES.join(', ')}`)
  return { claim: text.slice(0, at), roles }
}
