// User-agent rules over HTTP: what is stored, found and refused. What they decide is tested with IP access rules.
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/firewall/ua_rules'
const rule = (value: string, more: object = {}) => ({
  mode: 'block',
  configuration: { target: 'ua', value },
  ...more,
})
const create = (body: unknown): Send & { readonly as: string } => ({
  method: 'POST',
  path: PATH,
  body,
  as: 'rule',
})
const one = (method: string, body?: unknown): Send => ({
  method,
  path: `${PATH}/{rule}`,
  ...(body !== undefined && { body }),
})
const two = [create(rule('Bot A', { description: 'first' })), create(rule('Bot B', { paused: true }))]

scenarios(PATH, [
  {
    name: 'a rule',
    send: create(rule('Bot "1"', { description: 'bad', mode: 'js_challenge' })),
    expect: {
      status: 200,
      changes: 1,
      result: {
        description: 'bad',
        mode: 'js_challenge',
        configuration: { target: 'ua', value: 'Bot "1"' },
        paused: false,
      },
    },
  },
  {
    name: 'all',
    before: two,
    send: { method: 'GET', path: PATH },
    expect: { status: 200, info: { total_count: 2 } },
  },
  {
    name: 'a user agent with characters beyond U+FFFF',
    send: create(rule('Bot 🤖 𝕏/1.0')),
    expect: { status: 200, changes: 1, result: { configuration: { value: 'Bot 🤖 𝕏/1.0' } } },
  },
  ...(
    [
      ['description=FIRST', 'Bot A'],
      ['description_search=first', 'Bot A'],
      ['user_agent=b', undefined],
      ['ua_search=bot%20b', 'Bot B'],
      ['paused=true', 'Bot B'],
      ['page=2&per_page=1', 'Bot B'],
    ] as const
  ).map(([query, value]) => ({
    name: `found by ${query}`,
    before: two,
    send: { method: 'GET', path: `${PATH}?${query}` },
    expect: { status: 200, ...(value !== undefined && { result: [{ configuration: { value } }] }) },
  })),
  {
    name: 'replaced',
    before: [create(rule('Bot A', { description: 'x' }))],
    send: one('PUT', rule('Bot C', { mode: 'challenge' })),
    expect: {
      status: 200,
      changes: 1,
      result: { description: '', mode: 'challenge', configuration: { value: 'Bot C' } },
    },
  },
  {
    name: 'replaced by the same: no change',
    before: [create(rule('Bot A'))],
    send: one('PUT', { ...rule('Bot A'), id: 'ignored' }),
    expect: { status: 200, result: { configuration: { value: 'Bot A' } } },
  },
  {
    name: 'replaced by another one',
    before: two,
    send: one('PUT', rule('Bot A')),
    expect: { status: 400, codes: [10009], pointers: ['/configuration'] },
  },
  {
    name: 'one',
    before: [create(rule('Bot A'))],
    send: one('GET'),
    expect: { status: 200, result: { mode: 'block' } },
  },
  {
    name: 'deleted',
    before: [create(rule('Bot A'))],
    send: one('DELETE'),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'a second one for the same user agent',
    before: [create(rule('Bot A'))],
    send: create(rule('Bot A', { mode: 'challenge' })),
    expect: { status: 400, codes: [10009], pointers: ['/configuration'] },
  },
  ...['GET', 'PUT', 'DELETE'].map((method) => ({
    name: `${method} of a rule that does not exist`,
    send: { method, path: `${PATH}/${'0'.repeat(32)}`, ...(method === 'PUT' && { body: rule('a') }) },
    expect: { status: 404, codes: [10001] },
  })),
  {
    name: 'more than a free zone can have',
    plan: 'free',
    before: Array.from({ length: 10 }, (_, index) => create(rule(`Bot ${index}`))),
    send: create(rule('one more')),
    expect: { status: 400, codes: [20724] },
  },
  ...(
    [
      [rule(''), '/configuration/value'],
      [rule('a\nb'), '/configuration/value'],
      [rule('a\u0085b'), '/configuration/value'],
      [rule('a', { mode: 'whitelist' }), '/mode'],
      [{ mode: 'block', configuration: { target: 'ip', value: 'a' } }, '/configuration/target'],
      [rule('a', { priority: 1 }), '/priority'],
    ] as const
  ).map(([body, pointer]) => ({
    name: `refused: ${JSON.stringify(body)}`,
    send: create(body),
    expect: { status: 400, codes: [6008], pointers: [pointer] },
  })),
])
