// Watched pages over HTTP: what is accepted, and what is refused.
import { expect, test } from 'vitest'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { MAX_WATCHED_PAGES, toServedScript } from './watched-pages.rules.ts'

const PAGES = '/zonereeve/zones/{zone}/page_shield/pages'
const MISSING = 'f'.repeat(32)
const URL = 'https://www.example.com/checkout'
const create = (body: unknown): Send => ({ method: 'POST', path: PAGES, body })
const add: Send = { ...create({ url: URL }), as: 'page' }
const patch = (body: unknown): Send => ({ method: 'PATCH', path: `${PAGES}/{page}`, body })
const get = (path: string): Send => ({ method: 'GET', path })
const check: Send = { method: 'POST', path: `${PAGES}/{page}/check`, body: {} }

scenarios(PAGES, [
  { name: 'none initially', send: get(PAGES), expect: { status: 200, result: [], info: { total_count: 0 } } },
  {
    name: 'created: checked daily, and at once',
    send: create({ url: `${URL}?a=b#part` }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        url: `${URL}?a=b`,
        interval_minutes: 1440,
        status: {
          checked_at: null,
          next_check_at: expect.stringMatching(/^2026-01-05T10:20:30/),
          failures: 0,
          problem: null,
        },
        current: null,
      },
    },
  },
  ...(
    [
      ['nothing', {}, 6008, '/url'],
      ['no URL', { url: 'checkout' }, 19641, '/url'],
      ['another scheme', { url: 'ftp://www.example.com/' }, 19641, '/url'],
      ['credentials', { url: 'https://a:b@www.example.com/' }, 19641, '/url'],
      ['another zone', { url: 'https://www.example.net/' }, 19641, '/url'],
      ['a name that ends alike', { url: 'https://badexample.com/' }, 19641, '/url'],
      ['an address', { url: 'http://127.0.0.1/' }, 19641, '/url'],
      ['a short interval', { url: URL, interval_minutes: 9 }, 6008, '/interval_minutes'],
      ['more than a week', { url: URL, interval_minutes: 10_081 }, 6008, '/interval_minutes'],
      ['an unknown member', { url: URL, cookies: 'a=b' }, 6008, '/cookies'],
    ] as const
  ).map(([name, body, code, pointer]) => ({
    name: `refused: ${name}`,
    send: create(body),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'refused: the same page again',
    before: [add],
    send: create({ url: `${URL}#other` }),
    expect: { status: 400, codes: [19656], pointers: ['/url'] },
  },
  {
    name: `refused: more than ${MAX_WATCHED_PAGES}`,
    before: Array.from({ length: MAX_WATCHED_PAGES }, (_, index) => create({ url: `${URL}/${index}` })),
    send: create({ url: URL }),
    expect: { status: 400, codes: [19655] },
  },
  {
    name: 'shown',
    before: [add],
    send: get(`${PAGES}/{page}`),
    expect: { status: 200, result: { url: URL } },
  },
  { name: 'listed', before: [add], send: get(PAGES), expect: { status: 200, result: [{ url: URL }] } },
  {
    name: 'changed',
    before: [add],
    send: patch({ interval_minutes: 60 }),
    expect: { status: 200, changes: 1, result: { interval_minutes: 60 } },
  },
  {
    name: 'changed to its current value',
    before: [add],
    send: patch({ interval_minutes: 1440 }),
    expect: { status: 200 },
  },
  {
    name: 'refused: another URL',
    before: [add],
    send: patch({ url: URL, interval_minutes: 60 }),
    expect: { status: 400, codes: [6008], pointers: ['/url'] },
  },
  { name: 'a check at once', before: [add], send: check, expect: { status: 200 } },
  {
    name: 'no history yet',
    before: [add],
    send: get(`${PAGES}/{page}/history`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'deleted',
    before: [add],
    send: { method: 'DELETE', path: `${PAGES}/{page}` },
    expect: { status: 200, changes: 1 },
  },
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => ({
    name: `${method} of an unknown page`,
    send: {
      method,
      path: `${PAGES}/${MISSING}`,
      ...(method === 'PATCH' ? { body: { interval_minutes: 60 } } : {}),
    },
    expect: { status: 404, codes: [19654] },
  })),
  {
    name: 'history of an unknown page',
    send: get(`${PAGES}/${MISSING}/history`),
    expect: { status: 404, codes: [19654] },
  },
  {
    name: 'an unknown zone',
    send: get(`/zonereeve/zones/${MISSING}/page_shield/pages`),
    expect: { status: 404, codes: [1001] },
  },
])

const INTEGRITY = `sha384-${'a'.repeat(64)}`
test.each<[string, string | null, string | null]>([
  ['none', null, null],
  ['a hash', INTEGRITY, INTEGRITY],
  ['512 characters', 'a'.repeat(512), 'a'.repeat(512)],
  ['more', 'a'.repeat(100_000), 'a'.repeat(512)],
])('the integrity of a script: %s', (_, integrity, stored) => {
  const script = { kind: 'external' as const, url: 'https://cdn.example.com/a.js', integrity }
  expect(toServedScript(script).integrity).toBe(stored)
})
