import { utf8, type HeaderLine } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { evaluateRequest } from './evaluate-request.ts'
import { firewallOf, requestFor, type ShortRule } from './firewall.cases.ts'
import { evaluateLogFields, type KnownResponse } from './log-fields.ts'
import type { JsonObject } from './ruleset.ts'

const RECEIVED: readonly HeaderLine[] = [
  ['Host', 'www.example.com'],
  ['X-Team', 'one'],
  ['x-team', 'two'],
  ['Cookie', 'sid=1; lang=de; sid=2'],
  ['cookie', 'late=yes; =odd; broken'],
  ['x-name', utf8('Zürich')],
  ['x-long', 'a'.repeat(1_025)],
  ['x-most', 'b'.repeat(1_024)],
  ['__proto__', 'kept'],
]
const ANSWERED = {
  status: 404,
  headers: [
    ['Server', 'origin'],
    ['Set-Cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ] as const,
}
const SENT = { status: 410, headers: [['server', 'edge']] as const }
const KNOWN: KnownResponse = { answered: ANSWERED, sent: SENT }
const names = (...all: readonly string[]) => all.map((name) => ({ name }))

const logRule = (parameters: JsonObject, expression = 'true', id = 'log'): ShortRule => ({
  id,
  action: 'log_custom_field',
  expression,
  parameters,
})
const TRANSFORM: ShortRule = {
  id: 'late',
  action: 'rewrite',
  parameters: { headers: { 'X-Team': { operation: 'set', value: 'changed' } } },
}

function logged(rules: readonly ShortRule[], known = KNOWN, received = RECEIVED) {
  const firewall = firewallOf([
    { id: 'late', level: 'zone', phase: 'http_request_late_transform', rules: [TRANSFORM] },
    { id: 'fields', level: 'zone', phase: 'http_log_custom_fields', rules },
  ])
  const request = requestFor('/')
  const { changes } = evaluateRequest(firewall, {
    ...request,
    facts: { ...request.facts, headers: received },
  })
  return evaluateLogFields(firewall, changes, known).fields
}
const NOTHING = { requestHeaders: {}, responseHeaders: {}, cookies: {}, isShortened: false }

describe('fields of events', () => {
  test.each<{ readonly name: string; readonly parameters: JsonObject; readonly expected: object }>([
    {
      name: 'repeated headers are one value',
      parameters: { request_fields: names('X-TEAM') },
      expected: { requestHeaders: { 'x-team': 'one, two' } },
    },
    {
      name: 'or stay apart',
      parameters: { raw_response_fields: [{ name: 'set-cookie', preserve_duplicates: true }] },
      expected: { responseHeaders: { 'set-cookie': ['a=1', 'b=2'] } },
    },
    {
      name: 'a request header as the origin gets it',
      parameters: { transformed_request_fields: names('x-team') },
      expected: { requestHeaders: { 'x-team': 'changed' } },
    },
    {
      name: 'a response header as the client gets it',
      parameters: { response_fields: names('server', 'set-cookie') },
      expected: { responseHeaders: { server: 'edge' } },
    },
    {
      name: 'the first of several cookies, case-sensitive',
      parameters: { cookie_fields: names('sid', 'late', 'LANG', 'broken') },
      expected: { cookies: { sid: '1', late: 'yes' } },
    },
    {
      name: 'text is UTF-8',
      parameters: { request_fields: names('x-name') },
      expected: { requestHeaders: { 'x-name': 'Zürich' } },
    },
    {
      name: 'what is not there is left out',
      parameters: { request_fields: names('x-absent') },
      expected: {},
    },
    {
      name: 'long values are cut',
      parameters: { request_fields: names('x-long', 'x-most') },
      expected: {
        requestHeaders: { 'x-long': 'a'.repeat(1_024), 'x-most': 'b'.repeat(1_024) },
        isShortened: true,
      },
    },
  ])('$name', ({ parameters, expected }) => {
    expect(logged([logRule(parameters)])).toEqual({ ...NOTHING, ...expected })
  })

  test('a header may be called __proto__', () => {
    const fields = logged([logRule({ request_fields: names('__proto__') })])
    expect(Object.entries(fields?.requestHeaders ?? {})).toEqual([['__proto__', 'kept']])
  })

  test('what is too much in sum is left out, and what fits after it is not', () => {
    const received = [...'abcde'].map((name): HeaderLine => [name, name.repeat(1_000)])
    const parameters = {
      request_fields: names('a', 'b', 'c', 'd', 'e'),
      raw_response_fields: names('server'),
    }
    const fields = logged([logRule(parameters)], KNOWN, received)
    expect(Object.keys(fields?.requestHeaders ?? {})).toEqual(['a', 'b', 'c', 'd'])
    expect(fields).toMatchObject({ responseHeaders: { server: 'origin' }, isShortened: true })
  })

  test('all rules that match add theirs, by the response of the origin', () => {
    const rules = [
      logRule({ request_fields: names('host') }, 'http.response.code eq 404', 'first'),
      logRule({ request_fields: names('x-name') }, 'http.response.code eq 410', 'second'),
      logRule({ cookie_fields: names('lang') }, 'true', 'third'),
    ]
    expect(logged(rules)).toEqual({
      ...NOTHING,
      requestHeaders: { host: 'www.example.com' },
      cookies: { lang: 'de' },
    })
  })

  test('without a response there are fields of the request', () => {
    const rule = logRule(
      { request_fields: names('host'), response_fields: names('server') },
      'http.response.code eq 0',
    )
    expect(logged([rule], { answered: undefined, sent: undefined })).toEqual({
      ...NOTHING,
      requestHeaders: { host: 'www.example.com' },
    })
  })

  test('nothing without a rule that matches', () => {
    expect(logged([])).toBeNull()
    expect(logged([logRule({ request_fields: names('host') }, 'http.host eq "other"')])).toBeNull()
    expect(
      evaluateLogFields(firewallOf([]), evaluateRequest(firewallOf([]), requestFor('/')).changes, KNOWN),
    ).toEqual({ steps: [], fields: null })
  })
})
