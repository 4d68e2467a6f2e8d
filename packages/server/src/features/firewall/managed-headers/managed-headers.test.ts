// Managed changes of headers over HTTP: the switches, what they do in traces, and what is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/managed_headers'
const read: Send = { method: 'GET', path: PATH }
const edit = (body: unknown): Send => ({ method: 'PATCH', path: PATH, body })
const remove: Send = { method: 'DELETE', path: PATH }
const request = (id: string, enabled = true) => ({ managed_request_headers: [{ id, enabled }] })
const response = (id: string, enabled = true) => ({ managed_response_headers: [{ id, enabled }] })
const listed = (...on: readonly string[]) => {
  const state = (id: string) => ({ id, enabled: on.includes(id), has_conflict: false })
  return {
    managed_request_headers: ['add_true_client_ip_headers', 'add_visitor_location_headers'].map(state),
    managed_response_headers: ['remove_x-powered-by_header', 'add_security_headers'].map(state),
  }
}
const address = request('add_true_client_ip_headers')

scenarios(PATH, [
  { name: 'by default', send: read, expect: { status: 200, result: listed() } },
  {
    name: 'one is switched on',
    send: edit(address),
    expect: { status: 200, changes: 1, result: listed('add_true_client_ip_headers') },
  },
  {
    name: 'others stay',
    before: [edit(address)],
    send: edit(response('add_security_headers')),
    expect: { status: 200, changes: 1, result: listed('add_true_client_ip_headers', 'add_security_headers') },
  },
  {
    name: 'off again',
    before: [edit(address)],
    send: edit(request('add_true_client_ip_headers', false)),
    expect: { status: 200, changes: 1, result: listed() },
  },
  {
    name: 'what is on already: no change',
    before: [edit(address)],
    send: edit(address),
    expect: { status: 200, result: listed('add_true_client_ip_headers') },
  },
  { name: 'nothing: no change', send: edit({}), expect: { status: 200, result: listed() } },
  { name: 'all off', before: [edit(address)], send: remove, expect: { status: 204, changes: 1 } },
  {
    name: 'all off, and read',
    before: [edit(address), remove],
    send: read,
    expect: { status: 200, result: listed() },
  },
  {
    name: 'refused: one that is not supported',
    send: edit(request('add_bot_protection_headers')),
    expect: { status: 400, codes: [6008], pointers: ['/managed_request_headers/0/id'] },
  },
  {
    name: 'refused: in the wrong list',
    send: edit(response('add_true_client_ip_headers')),
    expect: { status: 400, codes: [6008], pointers: ['/managed_response_headers/0/id'] },
  },
])

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Trace {
  readonly changes: unknown
}

test('a trace shows what they change, before the rules of the zone', async () => {
  const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'headers.example' })
  await app.must('PATCH', `/zones/${id}/managed_headers`, {
    managed_request_headers: [
      { id: 'add_true_client_ip_headers', enabled: true },
      { id: 'add_visitor_location_headers', enabled: true },
    ],
    managed_response_headers: [
      { id: 'remove_x-powered-by_header', enabled: true },
      { id: 'add_security_headers', enabled: true },
    ],
  })
  await app.must('PUT', `/zones/${id}/rulesets/phases/http_response_headers_transform/entrypoint`, {
    rules: [
      {
        action: 'rewrite',
        expression: 'true',
        action_parameters: { headers: { 'x-frame-options': { operation: 'set', value: 'DENY' } } },
      },
    ],
  })
  const trace = await app.must<Trace>('POST', `/zonereeve/zones/${id}/firewall/trace`, {
    url: 'https://headers.example/',
    ip: '192.0.2.9',
    headers: { 'true-client-ip': 'forged', 'cf-ipcity': 'forged' },
    response: { status_code: 200, headers: { 'x-powered-by': 'origin' } },
  })
  const text = JSON.stringify(trace)
  expect(text).toContain('"192.0.2.9"')
  expect(text.indexOf('SAMEORIGIN')).toBeLessThan(text.indexOf('DENY'))
  expect(text).toContain('x-powered-by')
  // Without a database of locations, what a client has sent in its place goes away.
  expect(text).toMatch(/"cf-ipcity"[^}]*"remove"|"remove"[^}]*"cf-ipcity"/)
})
