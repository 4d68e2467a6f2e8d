// Unknown members and invalid strings are rejected by name throughout the legacy firewall, and nothing is
// stored. Read-only members of responses that clients send back are accepted.
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const rules = '/zones/{zone}/firewall/rules'
const filters = '/zones/{zone}/filters'
const waf = '/zones/{zone}/firewall/waf'
const SCORES = 'c504870194831cd12c3fc0284f294abb'
const RULE = { action: 'block', filter: { expression: 'ssl' } }
const LONE = '\\ud800'

const refused = (method: string, path: string, body: unknown, pointer: string): Scenario => ({
  name: `${method} ${path.split('/').slice(3).join('/')} with ${pointer}`,
  send: { method, path, body },
  expect: { status: 400, codes: [6008], pointers: [pointer] },
})
const times = { created_on: '0001-01-01T00:00:00Z', modified_on: '0001-01-01T00:00:00Z' }

scenarios('unknown members', [
  refused('POST', rules, [{ ...RULE, mode: 'x' }], '/0/mode'),
  refused('POST', rules, { ...RULE, mode: 'x' }, '/mode'),
  refused('POST', rules, [RULE, { ...RULE, filter: { expression: 'not ssl', 'a/b': 1 } }], '/1/filter/a~1b'),
  refused('PUT', rules, [{ ...RULE, id: 'a', mode: 'x' }], '/0/mode'),
  refused('PATCH', rules, [{ id: 'a', mode: 'x' }], '/0/mode'),
  refused('PUT', `${rules}/${'a'.repeat(32)}`, { ...RULE, mode: 'x' }, '/mode'),
  refused('PATCH', `${rules}/${'a'.repeat(32)}`, { mode: 'x' }, '/mode'),
  refused('POST', filters, [{ expression: 'ssl', negate: true }], '/0/negate'),
  refused('PUT', filters, [{ id: 'a', expression: 'ssl', negate: true }], '/0/negate'),
  refused('PUT', `${filters}/${'a'.repeat(32)}`, { expression: 'ssl', negate: true }, '/negate'),
  refused('PATCH', `${waf}/packages/${SCORES}`, { sensitivity: 'low', paranoia: 2 }, '/paranoia'),
  refused('PATCH', `${waf}/packages/${SCORES}/groups/${'a'.repeat(32)}`, { mode: 'on', all: true }, '/all'),
  refused('PATCH', `${waf}/packages/${SCORES}/rules/100005`, { mode: 'on', all: true }, '/all'),
  refused('POST', `${waf}/overrides`, { urls: ['a.example/*'], hosts: [] }, '/hosts'),
  refused(
    'POST',
    rules,
    `[{"action":"block","filter":{"expression":"ssl"},"__proto__":{"paused":true}}]`,
    '/0/__proto__',
  ),
  refused('POST', filters, `{"expression":"ssl","__proto__":{"paused":true}}`, '/__proto__'),
  refused('PATCH', `${waf}/packages/${SCORES}`, '{"__proto__":{"sensitivity":"off"}}', '/__proto__'),
  {
    name: 'a rule as returned by the API',
    send: {
      method: 'POST',
      path: rules,
      body: [{ ...RULE, id: '', ...times, filter: { ...RULE.filter, ...times } }],
    },
    expect: { status: 200, changes: 1, result: [{ action: 'block', paused: false }] },
  },
  {
    name: 'read-only members are accepted in a PUT, whose rule does not exist',
    send: { method: 'PUT', path: `${rules}/${'f'.repeat(32)}`, body: { ...RULE, id: 'x', ...times } },
    expect: { status: 404, codes: [19564] },
  },
])

const lone = (method: string, path: string, body: string, pointer: string): Scenario => ({
  name: `${method} ${path.split('/').slice(2).join('/')}`,
  send: { method, path, body },
  expect: { status: 400, codes: [19681], pointers: [pointer] },
})

scenarios('a lone surrogate in an expression', [
  lone(
    'POST',
    rules,
    `[{"action":"block","filter":{"expression":"http.host eq \\"${LONE}\\""}}]`,
    '/0/filter/expression',
  ),
  lone('POST', filters, `{"expression":"http.host eq \\"${LONE}\\""}`, '/expression'),
  lone('POST', '/filters/validate-expr', `{"expression":"http.host eq \\"\\udc00x\\""}`, '/expression'),
  {
    name: 'a complete surrogate pair',
    send: { method: 'POST', path: filters, body: `{"expression":"http.host eq \\"\\ud83d\\ude00\\""}` },
    expect: { status: 200, changes: 1 },
  },
])
