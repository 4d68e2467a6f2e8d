// What webhooks of accounts and of zones have in common over HTTP.
import type { Scenario, Send } from './scenarios.ts'

const MISSING = 'f'.repeat(32)

/** @param add creates one with this URL, as `webhook`. */
export function webhookScenarios(path: string, add: Send, url: string): Scenario[] {
  const one = `${path}/{webhook}`
  return [
    {
      name: 'none initially',
      send: { method: 'GET', path },
      expect: { status: 200, result: [], info: { total_count: 0 } },
    },
    {
      name: 'shown without its secret',
      before: [add],
      send: { method: 'GET', path: one },
      expect: { status: 200, result: { url }, text: /^(?!.*secret)/ },
    },
    {
      name: 'listed without its secret',
      before: [add],
      send: { method: 'GET', path },
      expect: { status: 200, result: [{ url }], text: /^(?!.*secret)/ },
    },
    {
      name: 'changed to its current value',
      before: [add],
      send: { method: 'PATCH', path: one, body: { url } },
      expect: { status: 200 },
    },
    {
      name: 'deleted',
      before: [add],
      send: { method: 'DELETE', path: one },
      expect: { status: 200, changes: 1 },
    },
    ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => ({
      name: `${method} of an unknown webhook`,
      send: { method, path: `${path}/${MISSING}`, ...(method === 'PATCH' ? { body: {} } : {}) },
      expect: { status: 404, codes: [19666] },
    })),
  ]
}
