import { describe, expect, test } from 'vitest'
import { settingsDraft, settingsErrors, settingsPatch } from './settings-draft.ts'

const draft = settingsDraft({
  flatten_all_cnames: false,
  foundation_dns: false,
  internal_dns: {},
  multi_provider: false,
  nameservers: { type: 'cloudflare.standard' },
  ns_ttl: 86_400,
  secondary_overrides: false,
  soa: {
    mname: 'ns1.example.net',
    rname: 'hostmaster.example.com',
    refresh: 10_000,
    retry: 2_400,
    expire: 604_800,
    min_ttl: 1_800,
    ttl: 3_600,
  },
  zone_mode: 'standard',
})

describe('the patch has only what changed', () => {
  test.each([
    ['nothing', draft, undefined],
    ['a number of the SOA', { ...draft, soa: { ...draft.soa, retry: '1200' } }, { soa: { retry: 1200 } }],
    [
      'an emptied text is the default',
      { ...draft, soa: { ...draft.soa, mname: ' ' } },
      { soa: { mname: null } },
    ],
    [
      'everything else',
      { ...draft, nsTtl: '300', mode: 'dns_only', flattens: true, isMultiProvider: true },
      { ns_ttl: 300, zone_mode: 'dns_only', flatten_all_cnames: true, multi_provider: true },
    ],
  ])('%s', (_, after, patch) => expect(settingsPatch(draft, after)).toEqual(patch))
})

test.each([
  ['right', draft, []],
  ['no number', { ...draft, soa: { ...draft.soa, ttl: '1h' } }, ['ttl']],
  ['empty', { ...draft, nsTtl: '' }, ['ns_ttl']],
  ['negative', { ...draft, nsTtl: '-5' }, ['ns_ttl']],
])('what is wrong: %s', (_, after, members) => expect(Object.keys(settingsErrors(after))).toEqual(members))
