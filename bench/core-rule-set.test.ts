// Our interpreter beside ModSecurity 3 with the same rules, Debian's Core Rule Set: over the requests of that project's
// own tests, if the shared folder has them, and over ordinary texts of this machine. The same rules match, except where
// the table says why not.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ordinaryStrings } from '../scripts/ordinary-strings.ts'
import { sharedFile } from '../scripts/requirements.ts'
import { describeWith, testWith } from '../scripts/test-requirements.ts'
import { type CoreRules, judgeByUs, readCoreRules } from './core-rule-set.ts'
import { type Judge, type JudgedRequest, openLibModSecurity } from './libmodsecurity.ts'

const LEVEL = 4
const ORDINARY = 2_000
const LEAST_AGREEMENT = 0.98
/** Differences that no entry of the table explains. */
const MOST_UNEXPLAINED = 0.001

/** Rules that the two sides read differently, by reason. */
const EXPLAINED = {
  'they need libinjection, which we do not have': [942100, 942101, 941100, 941101],
  'version 3 reads backslashes in its patterns as written, we read them as version 2 does': [
    920460, 932200, 941330, 942440,
  ],
} as const
const EXPLAINED_IDS = new Set<number>(Object.values(EXPLAINED).flat())

describeWith(['libmodsecurity', 'modsecurity-crs'], 'our interpreter and ModSecurity 3 agree', () => {
  let ours: CoreRules
  let theirs: Judge
  beforeAll(() => {
    ours = readCoreRules(LEVEL)
    theirs = openLibModSecurity(LEVEL)
  })
  afterAll(() => theirs.close())

  test('about ordinary texts', () => {
    const { strings } = ordinaryStrings()
    expect(strings.length).toBeGreaterThan(ORDINARY)
    const step = Math.floor(strings.length / ORDINARY)
    const requests = Array.from({ length: ORDINARY }, (_, i) => requestOf(String(strings[i * step]), i))
    expect(differences('ordinary texts', requests, 2 * ORDINARY)).toEqual([])
  })

  testWith('corpus', "about the requests of the rule set's own tests", () => {
    const { cases } = JSON.parse(readFileSync(sharedFile('data/crs-cases.json'), 'utf8')) as {
      readonly cases: readonly Case[]
    } // its format
    expect(differences('test requests', cases.map(requestOfCase), 4_000)).toEqual([])
  })

  function differences(name: string, requests: readonly JudgedRequest[], least: number): readonly string[] {
    let agreed = 0
    const differing: string[] = []
    let unexplained = 0
    for (const request of requests) {
      const expected = theirs.judge(request)
      const found = judgeByUs(ours, request)
      for (const id of new Set([...expected, ...found])) {
        if (expected.has(id) === found.has(id)) agreed += 1
        else {
          differing.push(
            `${id} ${found.has(id) ? 'ours' : 'theirs'} ${request.target.slice(0, 200)} ${request.body.slice(0, 200)}`,
          )
          if (!EXPLAINED_IDS.has(id)) unexplained += 1
        }
      }
    }
    const all = agreed + differing.length
    const percent = (count: number): string => `${((count / all) * 100).toFixed(2)} %`
    console.info(
      `${requests.length} ${name}: ${percent(agreed)} of ${all} matches agree; ${percent(unexplained)} differ without an explanation`,
    )
    const isSame = agreed / all >= LEAST_AGREEMENT && unexplained / all <= MOST_UNEXPLAINED
    return isSame && all > least ? [] : [`${agreed} of ${all} agree`, ...differing]
  }
})

interface Case {
  readonly method: string
  readonly uri: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Base64. */
  readonly body: string
}

const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const requestOfCase = ({ method, uri, version, headers, body }: Case): JudgedRequest => ({
  method,
  target: bytes(uri),
  version,
  headers: headers.map(([name, value]) => [bytes(name), bytes(value)] as const),
  body: Buffer.from(body, 'base64').toString('latin1'),
})

const HEADERS = [
  ['Host', 'www.example.com'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Accept', '*/*'],
] as const

/** The text in a query, a form or a JSON document, in turn. */
function requestOf(text: string, index: number): JudgedRequest {
  const encoded = encodeURIComponent(text)
  if (index % 3 === 0)
    return { method: 'GET', target: `/?q=${encoded}`, version: 'HTTP/1.1', headers: HEADERS, body: '' }
  const isForm = index % 3 === 1
  const body = isForm ? `text=${encoded}` : bytes(JSON.stringify({ text }))
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method: 'POST',
    target: '/post',
    version: 'HTTP/1.1',
    headers: [...HEADERS, ['Content-Type', type], ['Content-Length', String(body.length)]],
    body,
  }
}
