// Lone surrogates, which JSON can escape and UTF-8 cannot encode: rejected in every string of every body.
import { scenarios, type Scenario } from '../testing/scenarios.ts'

const LONE = '\ud800'
const ACCOUNT = '/accounts/{account}'
const ZONE = '/zones/{zone}'
const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const policy = {
  action: 'log',
  description: 'x',
  enabled: true,
  expression: 'true',
  value: "script-src 'self'",
}

type Refused = readonly [name: string, method: string, path: string, body: unknown, pointer: string | null]
const REFUSED: readonly Refused[] = [
  ['an account created', 'POST', '/accounts', { name: LONE }, '/name'],
  ['an account', 'PUT', ACCOUNT, { name: `a${LONE}` }, '/name'],
  ['an ACL', 'POST', `${ACCOUNT}/secondary_dns/acls`, { name: LONE, ip_range: '192.0.2.0/24' }, '/name'],
  ['a peer', 'POST', `${ACCOUNT}/secondary_dns/peers`, { name: '\udfffx' }, '/name'],
  ['a feed', 'POST', `${ACCOUNT}/threat_feeds`, { name: LONE, url: 'https://feeds.example/a' }, '/name'],
  ['a policy', 'POST', `${ZONE}/page_shield/policies`, { ...policy, description: LONE }, '/description'],
  ['a comment', 'POST', `${ZONE}/dns_records`, { ...www, comment: LONE }, '/comment'],
  ['a tag', 'POST', `${ZONE}/dns_records`, { ...www, tags: ['a', `a:${LONE}`] }, '/tags/1'],
  ['a TXT record', 'POST', `${ZONE}/dns_records`, { type: 'TXT', name: 'a', content: LONE }, '/content'],
  [
    'a CAA record in a batch',
    'POST',
    `${ZONE}/dns_records/batch`,
    { posts: [www, { type: 'CAA', name: 'a', data: { flags: 0, tag: 'tbs', value: LONE } }] },
    '/posts/1/data/value',
  ],
  ['a host', 'POST', `${ZONE}/dns_records`, { type: 'CNAME', name: 'a', content: `${LONE}.net` }, '/content'],
  [
    'a pattern of a page rule',
    'POST',
    `${ZONE}/pagerules`,
    { targets: [{ target: LONE }] },
    '/targets/0/target',
  ],
  ['both halves, swapped', 'PUT', ACCOUNT, { name: '\udc00\ud800' }, '/name'],
  ['a value that the error message would repeat', 'PATCH', ZONE, { type: LONE }, '/type'],
  ['a member that needs escapes', 'PATCH', ZONE, { 'a/b~c': [LONE] }, '/a~1b~0c/0'],
  ['the name of a member', 'POST', `${ZONE}/dns_records`, { ...www, data: { [LONE]: 1 } }, '/data'],
  ['the name of a member of the body', 'PATCH', ZONE, { [LONE]: 1 }, null],
  ['a body that is one string', 'PATCH', ZONE, JSON.stringify(LONE), null],
]

scenarios(
  'a lone surrogate is rejected, and nothing is written',
  REFUSED.map(([name, method, path, body, pointer]): Scenario => ({
    name,
    send: { method, path, body },
    expect: {
      status: 400,
      codes: [19681],
      pointers: [pointer],
      // The reply contains the surrogate neither raw nor escaped.
      text: /^(?!.*(?:\\ud|\p{Surrogate})).*a lone surrogate/u,
    },
  })),
)

scenarios('valid strings are stored as sent', [
  {
    name: 'an escaped surrogate pair',
    send: {
      method: 'POST',
      path: `${ZONE}/dns_records`,
      body: `{"type":"A","name":"a","content":"192.0.2.1","comment":"\\ud83d\\ude00"}`,
    },
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1, result: { comment: '😀' } },
  },
  {
    name: 'a backslash before what looks like an escape',
    send: { method: 'POST', path: `${ZONE}/dns_records`, body: { ...www, comment: '\\ud800' } },
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1, result: { comment: '\\ud800' } },
  },
])

scenarios(
  'an error about the whole body has no empty pointer',
  [
    ['POST', '/accounts'],
    ['PATCH', ZONE],
    ['PUT', `${ZONE}/rulesets/phases/http_request_firewall_custom/entrypoint`],
    ['POST', `${ZONE}/rulesets`],
    ['POST', `${ZONE}/pagerules`],
    ['POST', `${ACCOUNT}/secondary_dns/acls`],
  ].map(([method = '', path = '']): Scenario => ({
    name: `${method} ${path}`,
    send: { method, path, body: [] },
    expect: { status: 400, codes: [6008], pointers: [null], text: /the body must be (?:an )?object/ },
  })),
)
