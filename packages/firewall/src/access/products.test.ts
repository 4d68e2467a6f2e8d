// IP access rules, lockdown, user-agent rules and the security level in the decision: which rule applies, what it skips, and
// what an event says about it.
import { runAtOnce } from '@zonereeve/cooperate'
import { type GeoFacts, parseIp, type RequestFacts } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { compileZone, writeZoneConfiguration } from '../decision/zone-configuration.ts'
import { decideRequest } from '../decision/decide.ts'
import { eventRuleOf } from '../decision/event.ts'
import { DEFAULT_LEGACY_CONFIGURATION } from '../legacy/legacy-configuration.ts'
import { inspect } from '../managed-rules/inspected-request.ts'
import { requestFor, rulesetOf, type ShortRule } from '../rulesets/firewall.cases.ts'
import type { Ruleset } from '../rulesets/ruleset.ts'
import { type AccessMode, type AccessRule, type AccessTarget, readAccessValue } from './access-rule.ts'
import { NO_PRODUCT_RULES, type ProductRules } from './products.ts'
import { lockdownUrlProblem, readLockdownAddress } from './zone-rules.ts'

const NO_BODY = new Uint8Array()

interface Client {
  readonly ip?: string
  readonly country?: string
  readonly asnum?: number
  readonly agent?: string
  readonly accept?: string
  readonly referer?: string
  readonly method?: string
  readonly host?: string
  readonly target?: string
}

function decide(
  rules: Partial<ProductRules>,
  client: Client = {},
  custom: readonly ShortRule[] = [],
  more: readonly Ruleset[] = [],
) {
  const written = writeZoneConfiguration({
    rulesets: [
      ...more,
      rulesetOf({ id: 'custom', level: 'zone', phase: 'http_request_firewall_custom', rules: custom }),
    ],
    legacy: {
      inactive: null,
      bypasses: [],
      pageRules: [],
      managed: DEFAULT_LEGACY_CONFIGURATION,
    },
    products: { ...NO_PRODUCT_RULES, ...rules },
  })
  const zone = runAtOnce(compileZone(JSON.parse(JSON.stringify(written)) as typeof written))
  const clientIp = parseIp(client.ip ?? '192.0.2.7')
  if (clientIp === undefined) throw new Error('no address')
  const geo: GeoFacts = {
    ...(client.asnum !== undefined && { asnum: client.asnum }),
    strings: { country: client.country ?? 'XX' },
  }
  const { facts } = requestFor(client.target ?? '/')
  const received: RequestFacts = {
    ...facts,
    clientIp,
    method: client.method ?? 'GET',
    host: client.host ?? facts.host,
    headers: [
      ['host', client.host ?? 'www.example.com'],
      ['user-agent', client.agent ?? 'Firefox'],
      ['accept', client.accept ?? '*/*'],
      ...(client.referer === undefined ? [] : [['referer', client.referer] as const]),
    ],
    geo: () => geo,
    zone: { name: 'example.com', plan: 'FREE' },
  }
  const decision = decideRequest(zone, inspect(received, NO_BODY), { isTracing: true })
  return { decision, event: eventRuleOf(decision, zone.firewall) }
}

let number = 0
const access = (
  target: AccessTarget,
  value: string,
  mode: AccessMode = 'block',
  level: AccessRule['level'] = 'zone',
): AccessRule => ({ id: `${mode}-${(number += 1)}`, level, target, value, mode, notes: 'why' })

const BLOCK_ALL: readonly ShortRule[] = [{ id: 'all', action: 'block' }]

describe('which access rule applies', () => {
  test.each<[string, AccessRule[], Client, string]>([
    ['the address', [access('ip', '192.0.2.7')], {}, 'block'],
    ['another address', [access('ip', '192.0.2.8')], {}, 'allow'],
    ['the address as a mapped one', [access('ip', '192.0.2.7')], { ip: '::ffff:192.0.2.7' }, 'block'],
    ['the address, stored as a mapped one', [access('ip', '::ffff:192.0.2.7')], {}, 'block'],
    [
      'an IPv6 address',
      [access('ip6', '2001:db8::1', 'js_challenge')],
      { ip: '2001:db8::1' },
      'js_challenge',
    ],
    ['a range', [access('ip_range', '192.0.2.0/24', 'challenge')], {}, 'challenge'],
    ['beside the range', [access('ip_range', '192.0.2.0/24')], { ip: '192.0.3.1' }, 'allow'],
    ['an IPv6 range', [access('ip_range', '2001:db8::/32')], { ip: '2001:db8:ffff::1' }, 'block'],
    ['the system', [access('asn', 'AS64500')], { asnum: 64_500 }, 'block'],
    ['another system', [access('asn', 'AS64500')], { asnum: 64_501 }, 'allow'],
    ['the country', [access('country', 'DE', 'managed_challenge')], { country: 'DE' }, 'managed_challenge'],
    ['an unknown country', [access('country', 'XX')], {}, 'block'],
    [
      'the nearest target',
      [
        access('country', 'DE'),
        access('ip_range', '192.0.0.0/16', 'challenge'),
        access('ip', '192.0.2.7', 'js_challenge'),
      ],
      { country: 'DE' },
      'js_challenge',
    ],
    [
      'the smallest range',
      [access('ip_range', '192.0.0.0/16'), access('ip_range', '192.0.2.0/24', 'challenge')],
      {},
      'challenge',
    ],
    [
      "the zone's rather than the account's",
      [access('ip', '192.0.2.7', 'block', 'account'), access('ip', '192.0.2.7', 'challenge')],
      {},
      'challenge',
    ],
    [
      'letting pass before all others',
      [access('ip', '192.0.2.7'), access('country', 'DE', 'whitelist')],
      { country: 'DE' },
      'allow',
    ],
  ])('%s', (_, rules, client, action) => {
    expect(decide({ access: rules }, client).decision.effective.action).toBe(action)
  })
})

describe('what an access rule that lets pass skips', () => {
  const lockdowns = [{ id: 'office', description: '', urls: ['*example.com/*'], addresses: ['198.51.100.1'] }]
  const userAgents = [{ id: 'agent', description: '', userAgent: 'Firefox', mode: 'block' as const }]
  test.each<[string, Partial<ProductRules>, readonly ShortRule[], string]>([
    ['custom rules', {}, BLOCK_ALL, 'all'],
    ['lockdown', { lockdowns }, [], 'office'],
    ['user-agent rules', { userAgents }, [], 'agent'],
  ])('%s', (_, rules, custom, by) => {
    expect(decide(rules, {}, custom).decision.effective.ruleId).toBe(by)
    const pass = { ...rules, access: [access('ip', '192.0.2.7', 'whitelist')] }
    expect(decide(pass, {}, custom).decision.effective.action).toBe('allow')
    expect(decide(pass, { ip: '192.0.2.8' }, custom).decision.effective.ruleId).toBe(by)
  })

  test('it leaves no event, and the legacy managed rules do not run', () => {
    const attack = { target: '/?q=%3Cscript%3Ealert(1)%3C/script%3E' }
    const pass = decide({ access: [access('ip', '192.0.2.7', 'whitelist')] }, attack)
    expect(pass.event).toBeUndefined()
    expect(pass.decision.legacy.inactive).toEqual({ reason: 'skip_rule' })
    expect(decide({}, attack).decision.legacy.inactive).toBeNull()
    // A country that is let pass does not skip them.
    const country = decide({ access: [access('country', 'XX', 'whitelist')] }, attack)
    expect(country.decision.legacy.inactive).toBeNull()
  })
})

describe('lockdown', () => {
  const office = {
    id: 'office',
    description: 'staff',
    urls: ['www.example.com/admin*', 'intern.example.com', 'https://api.example.com/v1?key=*'],
    addresses: ['198.51.100.1', '203.0.113.0/24', '2001:db8::/32'],
  }
  test.each<[string, Client, string]>([
    ['a URL of it', { target: '/admin/users' }, 'block'],
    ['with a query', { target: '/admin?x=1' }, 'block'],
    ['in capitals', { target: '/ADMIN' }, 'block'],
    ['with a doubled slash', { target: '//admin' }, 'block'],
    ['encoded', { target: '/%61dmin' }, 'block'],
    ['the host with a port', { host: 'WWW.example.com:8443', target: '/admin' }, 'block'],
    ['the host with a dot', { host: 'www.example.com.', target: '/admin' }, 'block'],
    ['a whole host', { host: 'intern.example.com', target: '/anything' }, 'block'],
    ['another path', { target: '/' }, 'allow'],
    ['another host', { host: 'example.com', target: '/admin' }, 'allow'],
    ['an address that may', { target: '/admin', ip: '198.51.100.1' }, 'allow'],
    ['a network that may', { target: '/admin', ip: '203.0.113.77' }, 'allow'],
    ['an IPv6 network that may', { target: '/admin', ip: '2001:db8::9' }, 'allow'],
    ['a query of it', { host: 'api.example.com', target: '/v1?key=1' }, 'block'],
    ['without that query', { host: 'api.example.com', target: '/v1' }, 'allow'],
  ])('%s', (_, client, action) => {
    expect(decide({ lockdowns: [office] }, client).decision.effective.action).toBe(action)
  })

  test('every rule for a URL must let the client pass', () => {
    const other = {
      id: 'other',
      description: '',
      urls: ['www.example.com/admin*'],
      addresses: ['198.51.100.2'],
    }
    const { decision } = decide({ lockdowns: [office, other] }, { target: '/admin', ip: '198.51.100.1' })
    expect(decision.effective.ruleId).toBe('other')
  })
  test('a custom rule skips it', () => {
    const skip: ShortRule = { id: 'skip', action: 'skip', parameters: { products: ['zoneLockdown'] } }
    expect(decide({ lockdowns: [office] }, { target: '/admin' }, [skip]).decision.effective.action).toBe(
      'allow',
    )
  })
  test('as many addresses as a rule can have', () => {
    const addresses = Array.from(
      { length: 250 },
      (_, index) => `2001:db8:1111:2222:${index.toString(16)}::/80`,
    )
    const rules = { lockdowns: [{ ...office, addresses }] }
    const actionFor = (ip: string) => decide(rules, { target: '/admin', ip }).decision.effective.action
    expect([actionFor('2001:db8:1111:2222:f9::1'), actionFor('192.0.2.7')]).toEqual(['allow', 'block'])
  })
  test('a URL that was stored before its length was checked', () => {
    const urls = [`www.example.com/${'\u4e2d'.repeat(500)}`, 'www.example.com/admin*']
    const { decision } = decide({ lockdowns: [{ ...office, urls }] }, { target: '/admin' })
    expect(decision.effective.action).toBe('block')
  })
  test('as many URLs as a rule can have', () => {
    const urls = Array.from({ length: 250 }, (_, index) => `www.example.com/${'long-'.repeat(50)}${index}*`)
    const { decision } = decide(
      { lockdowns: [{ ...office, urls }] },
      { target: `/${'long-'.repeat(50)}249/x` },
    )
    expect(decision.effective.action).toBe('block')
  })
})

describe('user-agent rules and the security level', () => {
  const userAgents = [
    { id: 'bad', description: 'bad', userAgent: 'Bad "Bot"\\1.0', mode: 'block' as const },
    { id: 'odd', description: '', userAgent: 'Odd', mode: 'managed_challenge' as const },
  ]
  test.each<[string, Client, string]>([
    ['exactly this one', { agent: 'Bad "Bot"\\1.0' }, 'block'],
    ['one that begins with it', { agent: 'Bad "Bot"\\1.0.1' }, 'allow'],
    ['another rule', { agent: 'Odd' }, 'managed_challenge'],
    ['none', { agent: '' }, 'allow'],
  ])('%s', (_, client, action) => {
    expect(decide({ userAgents }, client).decision.effective.action).toBe(action)
  })
  test('a header as long as a rule can have', () => {
    const userAgent = '\u{1f916}'.repeat(1024)
    const long = { id: 'long', description: '', userAgent, mode: 'block' as const }
    expect(decide({ userAgents: [long, ...userAgents] }, { agent: 'Odd' }).decision.effective.ruleId).toBe(
      'odd',
    )
  })
  test('configuration rules set the level of a request', () => {
    const rulesFor = (level: string) => [
      rulesetOf({
        id: 'config',
        level: 'zone',
        phase: 'http_config_settings',
        rules: [
          {
            id: 'set',
            action: 'set_config',
            expression: 'http.request.uri.path eq "/login"',
            parameters: { security_level: level },
          },
        ],
      }),
    ]
    const action = (isUnderAttack: boolean, level: string, target: string) =>
      decide({ isUnderAttack }, { accept: 'text/html', target }, [], rulesFor(level)).decision.effective
        .action
    expect([
      action(false, 'under_attack', '/login'),
      action(false, 'under_attack', '/'),
      action(true, 'off', '/login'),
      action(true, 'off', '/'),
    ]).toEqual(['managed_challenge', 'allow', 'allow', 'managed_challenge'])
  })
  const turningOn = (parameters: Readonly<Record<string, boolean>>) => [
    rulesetOf({
      id: 'config',
      level: 'zone',
      phase: 'http_config_settings',
      rules: [{ id: 'set', action: 'set_config', parameters }],
    }),
  ]
  const OTHER = 'https://other.example/page'
  test.each<[string, Client, boolean]>([
    ['an image on a page of another site', { target: '/a/b.JPG?x=1', referer: OTHER }, true],
    [
      'on a site whose name ends in the same way',
      { target: '/a.png', referer: 'http://notexample.com/' },
      true,
    ],
    [
      'with the name of the zone as user',
      { target: '/a.png', referer: 'http://example.com@other.example/' },
      true,
    ],
    ['on a page of no known address', { target: '/a.png', referer: 'android-app://x' }, true],
    ['on a page of the zone', { target: '/a.gif', referer: 'https://example.com/' }, false],
    ['on a page below the zone', { target: '/a.gif', referer: 'https://WWW.Example.com:8443/x' }, false],
    ['without a page', { target: '/a.png' }, false],
    ['in a folder that is shared', { target: '/x/hotlink-ok/a.png', referer: OTHER }, false],
    ['something else', { target: '/a.css?a.png', referer: OTHER }, false],
  ])('hotlink protection: %s', (_, client, isBlocked) => {
    const { decision, event } = decide({}, client, [], turningOn({ hotlink_protection: true }))
    expect(decision.effective.action).toBe(isBlocked ? 'block' : 'allow')
    expect(event?.source).toBe(isBlocked ? 'hot' : undefined)
    expect(decide({}, client).decision.effective.action).toBe('allow')
    const skip = [{ id: 'skip', action: 'skip', parameters: { products: ['hot'] } }] as const
    expect(decide({}, client, skip, turningOn({ hotlink_protection: true })).decision.effective.action).toBe(
      'allow',
    )
  })
  test.each([
    ['', true, 'block'],
    ['Firefox', true, 'allow'],
    ['', false, 'allow'],
  ])('the browser integrity check: agent "%s", on: %s', (agent, bic, action) => {
    const { decision, event } = decide({}, { agent }, [], turningOn({ bic }))
    expect([decision.effective.action, event?.source]).toEqual([
      action,
      action === 'block' ? 'bic' : undefined,
    ])
  })
  test.each<[string, Client, string]>([
    ['a page', { accept: 'text/html,*/*;q=0.8' }, 'managed_challenge'],
    ['a page by HEAD', { accept: 'text/html', method: 'HEAD' }, 'managed_challenge'],
    ['a form', { accept: 'text/html', method: 'POST' }, 'allow'],
    ['an image', { accept: 'image/*' }, 'allow'],
  ])('under attack: %s', (_, client, action) => {
    expect(decide({ isUnderAttack: true }, client).decision.effective.action).toBe(action)
    expect(decide({}, client).decision.effective.action).toBe('allow')
  })
})

test.each<[string, Partial<ProductRules>, Client, object]>([
  [
    'ip',
    { access: [access('ip', '192.0.2.7')] },
    {},
    { source: 'ip', expression: 'ip.src eq 192.0.2.7', description: 'why' },
  ],
  [
    'range',
    { access: [access('ip_range', '192.0.2.0/24')] },
    {},
    { source: 'ipRange', expression: 'ip.src in {192.0.2.0/24}' },
  ],
  [
    'asn',
    { access: [access('asn', 'AS64500')] },
    { asnum: 64_500 },
    { source: 'asn', expression: 'ip.src.asnum eq 64500' },
  ],
  [
    'country',
    { access: [access('country', 'DE')] },
    { country: 'DE' },
    { source: 'country', phase: 'ip_access' },
  ],
  [
    'of the account: without its content',
    { access: [access('ip', '192.0.2.7', 'block', 'account')] },
    {},
    { source: 'ip', level: 'account', expression: null, description: null },
  ],
  [
    'lockdown',
    {
      lockdowns: [
        { id: 'a'.repeat(32), description: 'd', urls: ['www.example.com/*'], addresses: ['198.51.100.1'] },
      ],
    },
    {},
    {
      source: 'zoneLockdown',
      ruleId: 'a'.repeat(32),
      description: 'd',
      expression: '(http.host eq "www.example.com") and not ip.src in {198.51.100.1}',
    },
  ],
  [
    'user agent',
    { userAgents: [{ id: 'b', description: '', userAgent: 'Firefox', mode: 'block' }] },
    {},
    { source: 'uaBlock', expression: 'http.user_agent eq "Firefox"' },
  ],
  [
    'security level',
    { isUnderAttack: true },
    { accept: 'text/html' },
    { source: 'securityLevel', ruleId: 'security_level' },
  ],
])('the event of a rule: %s', (_, rules, client, event) => {
  expect(decide(rules, client).event).toMatchObject(event)
})

test.each<[AccessTarget, string, string | undefined]>([
  ['ip', '192.0.2.7', '192.0.2.7'],
  ['ip', '2001:DB8:0::1', '2001:db8::1'],
  ['ip', '192.0.2.0/24', undefined],
  ['ip', '::ffff:192.0.2.7', '192.0.2.7'],
  ['ip', '::FFFF:c000:207', '192.0.2.7'],
  ['ip6', '2001:db8::1', '2001:db8::1'],
  ['ip6', '::ffff:192.0.2.7', undefined],
  ['ip6', '192.0.2.7', undefined],
  ['ip_range', '192.0.2.9/24', '192.0.2.0/24'],
  ['ip_range', '192.0.2.0/16', '192.0.0.0/16'],
  ['ip_range', '192.0.2.0/23', undefined],
  ['ip_range', '192.0.2.0', undefined],
  ['ip_range', '192.0.2.0/24/24', undefined],
  ['ip_range', '2001:db8::1/48', '2001:db8::/48'],
  ['ip_range', '2001:db8::/24', undefined],
  ['ip_range', '::ffff:192.0.2.0/128', undefined],
  ['asn', 'as64500', 'AS64500'],
  ['asn', '64500', 'AS64500'],
  ['asn', 'AS4294967296', undefined],
  ['asn', 'AS', undefined],
  ['country', 'de', 'DE'],
  ['country', 'Germany', undefined],
  ['country', 'T1', undefined],
])('%s %s is %s', (target, sent, value) => {
  const read = readAccessValue(target, sent)
  expect('value' in read ? read.value : undefined).toBe(value)
})

test.each(['example.com', '*.example.com/x', 'https://example.com/x?y=*', 'http*://example.com/'])(
  'a lockdown can have the URL %s',
  (url) => expect(lockdownUrlProblem(url)).toBeUndefined(),
)
test.each(['', '/x', 'example.com:80/x', 'ftp://example.com/', 'exa mple.com', 'example.com/"'])(
  'a lockdown cannot have the URL %j',
  (url) => expect(lockdownUrlProblem(url)).toEqual(expect.any(String)),
)
test.each([
  [440, undefined],
  [500, 'the URL is too long once it is percent-encoded'],
])('a lockdown with a URL of %i Chinese characters', (count, problem) => {
  expect(lockdownUrlProblem(`example.com/${'\u4e2d'.repeat(count)}`)).toBe(problem)
})
test.each<['ip' | 'ip_range', string, string | undefined]>([
  ['ip', '192.0.2.7', '192.0.2.7'],
  ['ip', '192.0.2.0/24', undefined],
  ['ip', '::ffff:192.0.2.7', '192.0.2.7'],
  ['ip_range', '::ffff:192.0.2.0/120', undefined],
  ['ip_range', '192.0.2.9/30', '192.0.2.8/30'],
  ['ip_range', '192.0.2.9', undefined],
  ['ip_range', '0.0.0.0/0', undefined],
  ['ip_range', '2001:db8::/129', undefined],
])('an address of a lockdown: %s %s is %s', (target, sent, value) => {
  const read = readLockdownAddress(target, sent)
  expect('value' in read ? read.value : undefined).toBe(value)
})
