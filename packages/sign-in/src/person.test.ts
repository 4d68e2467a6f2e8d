// Persons of an identity provider, and the mapping of roles.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRoleMapping, personOf } from './index.ts'

const ANY = { domains: [], mapping: undefined }
const VERIFIED = { sub: '1', email: 'Anna@Example.com', email_verified: true }

describe('a person', () => {
  test.each([
    [VERIFIED, ANY, { email: 'anna@example.com', name: null, role: undefined }],
    [{ ...VERIFIED, name: ' Anna ' }, ANY, { email: 'anna@example.com', name: 'Anna', role: undefined }],
    [{ ...VERIFIED, email_verified: 'true' }, ANY, { email: undefined, name: null, role: undefined }],
    [{ sub: '1' }, ANY, { email: undefined, name: null, role: undefined }],
    [
      VERIFIED,
      { ...ANY, domains: ['example.com'] },
      { email: 'anna@example.com', name: null, role: undefined },
    ],
    [VERIFIED, { ...ANY, domains: ['example.org'] }, 'domain'],
    [{ ...VERIFIED, email: 'a@b@example.com' }, { ...ANY, domains: ['example.com'] }, 'domain'],
    [{ ...VERIFIED, email_verified: false }, { ...ANY, domains: ['example.com'] }, 'domain'],
  ])('%j by %j', (claims, rules, expected) => {
    expect(personOf(claims, rules)).toEqual(expected)
  })

  test('of any claims gets no more than the mapping says', () => {
    const mapping = parseRoleMapping('groups:dns=editor')
    fc.assert(
      fc.property(fc.jsonValue(), (groups) => {
        const person = personOf({ ...VERIFIED, groups }, { domains: [], mapping })
        if (typeof person !== 'string') expect(person.role).toBe('editor')
      }),
    )
  })
})

describe('a mapping', () => {
  test('is read, also with signs and spaces in its values', () => {
    expect(parseRoleMapping('groups:a=admin')?.claim).toBe('groups')
    expect(parseRoleMapping('groups:cn=dns=admin, staff member=viewer')?.roles).toEqual(
      new Map([
        ['cn=dns', 'admin'],
        ['staff member', 'viewer'],
      ]),
    )
    expect(parseRoleMapping('')).toBe(undefined)
  })

  test.each(['groups', ':a=admin', 'groups:', 'groups:a=root', 'groups:a=admin,a=viewer', 'groups:=admin'])(
    '%s is refused',
    (text) => {
      expect(() => parseRoleMapping(text)).toThrow('must be CLAIM:VALUE=ROLE')
    },
  )
})
