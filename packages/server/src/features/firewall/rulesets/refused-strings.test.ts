// Strings and members of rules that cannot be stored as sent are rejected by name, and nothing is stored.
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const path = '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint'
const put = (name: string, body: string, code: number, pointer: string): Scenario => ({
  name,
  send: { method: 'PUT', path, body },
  expect: { status: 400, codes: [code], pointers: [pointer] },
})

scenarios('rules that cannot be stored as sent', [
  put(
    'a lone surrogate in an expression',
    '{"rules":[{"action":"block","expression":"http.host eq \\"\\ud800\\""}]}',
    19681,
    '/rules/0/expression',
  ),
  ...[
    ['a description', '{"description":"\\ud800"}', '/description'],
    ['a name', '{"name":"a\\udc00"}', '/name'],
    [
      'a rule’s description',
      '{"rules":[{"action":"block","expression":"ssl","description":"\\ud800"}]}',
      '/rules/0/description',
    ],
    ['a ref', '{"rules":[{"action":"block","expression":"ssl","ref":"\\ud800"}]}', '/rules/0/ref'],
    [
      'a response',
      '{"rules":[{"action":"block","expression":"ssl","action_parameters":{"response":{"status_code":403,"content_type":"text/plain","content":"\\ud800"}}}]}',
      '/rules/0/action_parameters/response/content',
    ],
  ].map(([where = '', body = '', pointer = '']) => put(`a lone surrogate in ${where}`, body, 19681, pointer)),
  put(
    'a prototype in a rule',
    '{"rules":[{"action":"block","expression":"ssl","__proto__":{"enabled":false}}]}',
    19533,
    '/rules/0/__proto__',
  ),
  put(
    'a prototype in the parameters of an action',
    '{"rules":[{"action":"block","expression":"ssl","action_parameters":{"__proto__":{"response":{}}}}]}',
    19533,
    '/rules/0/action_parameters/__proto__',
  ),
  put('a prototype next to the rules', '{"__proto__":{"rules":[]},"description":"x"}', 19533, '/__proto__'),
  put(
    'a constructor with a prototype',
    '{"rules":[{"action":"block","expression":"ssl","constructor":{"prototype":{}}}]}',
    19533,
    '/rules/0/constructor',
  ),
])
