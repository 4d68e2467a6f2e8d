// Tokens in plain words.
import { PERMISSION_GROUPS } from '@zonereeve/contract'
import { describe, expect, test } from 'vitest'
import { dayOf } from '../../parts/time.tsx'
import { limitText, permissionText, placesOf, policyLines, TEMPLATES } from './token-summary.ts'

const END = '2027-03-01T12:00:00Z'
const ZONE = 'com.cloudflare.api.account.zone'

test.each([
  [['DNS Read', 'DNS Write', 'Zone Read'], 'DNS: edit; Zone: read'],
  [['DNS Write', 'DNS Read'], 'DNS: edit'],
  [['Domain Page Shield'], 'Domain Page Shield: edit'],
  [[], ''],
])('%j is %s', (groups, expected) => {
  expect(permissionText(groups)).toBe(expected)
})

test('places are named by what they cover, also within an account', () => {
  expect(
    placesOf([
      { resources: { [`${ZONE}.a`]: '*', [`${ZONE}.b`]: '*' } },
      { resources: { 'com.cloudflare.api.account.x': { [`${ZONE}.b`]: '*' } } },
    ]),
  ).toEqual({ allZones: false, zoneIds: ['a', 'b'], accounts: false, user: false })
  expect(
    placesOf([
      {
        resources: {
          [`${ZONE}.*`]: '*',
          'com.cloudflare.api.account.*': '*',
          'com.cloudflare.api.user.x': '*',
        },
      },
    ]),
  ).toEqual({ allZones: true, zoneIds: [], accounts: true, user: true })
})

test('a policy is a line, and what is denied stays denied', () => {
  const policies = [
    {
      effect: 'allow',
      resources: { [`${ZONE}.*`]: '*' },
      permission_groups: [{ id: '1', name: 'DNS Write', meta: {} }],
    },
    {
      effect: 'deny',
      resources: { [`${ZONE}.a`]: '*' },
      permission_groups: [{ id: '1', name: 'DNS Write', meta: {} }],
    },
  ] as const
  expect(
    policyLines(
      policies.map((policy) => ({ ...policy, permission_groups: [...policy.permission_groups] })),
      () => 'example.com',
    ),
  ).toEqual([
    { effect: 'allow', permissions: 'DNS: edit', places: 'all zones' },
    { effect: 'deny', permissions: 'DNS: edit', places: 'example.com' },
  ])
})

test.each([
  [{}, 'From any address. Without an end.'],
  [
    {
      condition: { request_ip: { in: ['192.0.2.0/24'], not_in: ['192.0.2.1'] } },
      expires_on: END,
    },
    // As the browser's language and time zone have it.
    `Only from 192.0.2.0/24. Not from 192.0.2.1. Until ${dayOf(END)}.`,
  ],
])('limits %j', (token, expected) => {
  expect(limitText(token)).toBe(expected)
})

describe('a template', () => {
  const names = new Set<string>(
    PERMISSION_GROUPS.filter(({ scope }) => scope === 'zone').map(({ name }) => name),
  )
  test.each(TEMPLATES.map(({ key, groups }) => [key, groups] as const))(
    '%s has groups of zones that exist',
    (_, groups) => {
      expect(groups.length).toBeGreaterThan(0)
      expect(groups.filter((name) => !names.has(name))).toEqual([])
    },
  )
})
