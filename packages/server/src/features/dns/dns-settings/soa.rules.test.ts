// The relations between the times of an SOA, which the bounds of both profiles would hide.
import { expect, test } from 'vitest'
import { DEFAULT_PUBLICATION_SETTINGS } from '../../zones/index.ts'
import { patchSoa, type SoaPatch } from './soa.rules.ts'

const ANY = { minimum: 1, maximum: 2_147_483_647 }
const where = {
  bounds: { refresh: ANY, retry: ANY, expire: ANY, minimumTtl: ANY, ttl: ANY },
  at: '/soa',
  defaults: { mname: '', rname: '' },
}
const NOTHING: SoaPatch = {
  mname: undefined,
  rname: undefined,
  refreshSeconds: undefined,
  retrySeconds: undefined,
  expireSeconds: undefined,
  minimumTtlSeconds: undefined,
  ttlSeconds: undefined,
}
const fallback = DEFAULT_PUBLICATION_SETTINGS.soa
const RETRY = 'dns_settings.retry_above_refresh'
const EXPIRE = 'dns_settings.expire_below_refresh'

test.each([
  ['expire equal to refresh', { expireSeconds: 10_000 }, []],
  ['expire one below refresh', { expireSeconds: 9_999 }, [[EXPIRE, '/soa/expire']]],
  ['refresh one above expire', { refreshSeconds: 604_801 }, [[EXPIRE, '/soa/refresh']]],
  ['both sent', { refreshSeconds: 20_000, expireSeconds: 19_999 }, [[EXPIRE, '/soa/expire']]],
  [
    'all three in reverse order',
    { refreshSeconds: 500, retrySeconds: 600, expireSeconds: 400 },
    [
      [RETRY, '/soa/retry'],
      [EXPIRE, '/soa/expire'],
    ],
  ],
  ['none sent', {}, []],
] as const)('%s', (_, patch, expected) => {
  const { issues } = patchSoa(fallback, { ...NOTHING, ...patch }, where)
  expect(issues.map(({ reason, pointer }) => [reason, pointer])).toEqual(expected)
})

test('relations that were broken before do not reject other changes', () => {
  const broken = { ...fallback, retrySeconds: 20_000, expireSeconds: 5_000 }
  const { soa, issues } = patchSoa(broken, { ...NOTHING, ttlSeconds: 60 }, where)
  expect([soa, issues]).toEqual([{ ...broken, ttlSeconds: 60 }, []])
})
