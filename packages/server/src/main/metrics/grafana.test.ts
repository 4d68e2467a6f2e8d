// The Grafana dashboard and the documented list, against the metrics of a running server.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { startApp, type App } from '../app.ts'

const TOKEN = 'a'.repeat(40)
const read = (path: string): string =>
  readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

let app: App
let kinds: ReadonlyMap<string, string>
let text: string
const errors: object[] = []

beforeAll(async () => {
  const flags = { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', resolver: 'off' }
  const config = loadConfig({ flags, environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN } })
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) }
  const deps = { config, clock: systemClock(), ids: randomIds(), log }
  app = await startApp({ ...deps, inMemory: true })
  const headers = { authorization: `Bearer ${TOKEN}` }
  const url = `http://127.0.0.1:${app.http.port}`
  const json = { ...headers, 'content-type': 'application/json' }
  await fetch(`${url}/client/v4/zones`, { method: 'POST', headers: json, body: '{"name":"example.com"}' })
  text = await (await fetch(`${url}/metrics`, { headers })).text()
  kinds = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
  )
})
afterAll(() => app.close())

const dashboard = JSON.parse(read('deploy/grafana/zonereeve.json')) as Dashboard
const expressions = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr] as const),
)
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:zonereeve|process|nodejs)_\w+/g)].map(([name]) => name)

test.each(expressions)('%s: %s', (_, expression) => {
  const names = namesIn(expression)
  expect(names).not.toEqual([])
  for (const name of names) {
    const base = name.replace(/_(?:bucket|sum|count)$/, '')
    const isSeries = kinds.has(name) || kinds.get(base) === 'histogram'
    expect(isSeries, `${name} is a metric`).toBe(true)
    // Counters are shown as rates, gauges as they are.
    const isRate = /\b(?:rate|increase)\(/.test(expression)
    const isCounted = kinds.get(name) !== 'gauge'
    if (name !== 'zonereeve_log_dropped_lines_total') expect(isRate, `${name} as a rate`).toBe(isCounted)
  }
})

test('what has happened is counted: a change, a request, jobs', () => {
  expect(text).toMatch(/^zonereeve_changes_total\{topic="zone"\} [1-9]/m)
  expect(text).toMatch(/^zonereeve_http_requests_total\{operation="\S+",status="200"\} 1$/m)
  expect(text).toMatch(/^zonereeve_job_runs_total\{job="dnssec keys",outcome="done"\} [1-9]/m)
  expect(text).not.toMatch(/outcome="failed"/)
  expect(errors).toEqual([])
})

test('every metric of ours is documented, and nothing else', () => {
  const documented = new Set(
    namesIn(read('docs/nameserver.md')).filter((name) => name.startsWith('zonereeve_')),
  )
  const ours = [...kinds.keys()].filter((name) => name.startsWith('zonereeve_'))
  expect(ours.filter((name) => !documented.has(name))).toEqual([])
  expect([...documented].filter((name) => !kinds.has(name))).toEqual([])
})
