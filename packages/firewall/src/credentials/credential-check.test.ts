// Credentials in requests: where they are found, and what the fields say about them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAtOnce } from '@zonereeve/cooperate'
import { decideRequest } from '../decision/decide.ts'
import {
  compileZone,
  type ZoneConfiguration,
  writeZoneConfiguration,
} from '../decision/zone-configuration.ts'
import { DEFAULT_LEGACY_CONFIGURATION } from '../legacy/legacy-configuration.ts'
import { inspectSample, type RequestSample } from '../managed-rules/request-sample.cases.ts'
import { offeredSchemeOf, schemeOf } from '../rulesets/phases.ts'
import type { RuleDefinition } from '../rulesets/ruleset.ts'
import type { CredentialSettings } from './credential-check.ts'
import { installLeakedPasswords } from './leaked-passwords.ts'

const LEAKED = ['hunter2', 'anna@example.com:s3cret']
let asked: string[] = []
beforeAll(() =>
  installLeakedPasswords({
    isLeaked: (text) => {
      asked.push(text)
      return LEAKED.includes(text)
    },
  }),
)
afterAll(() => installLeakedPasswords(undefined))

const ON: CredentialSettings = { isEnabled: true, locations: [] }

function zoneWith(definition: Partial<RuleDefinition>, credentials: CredentialSettings): ZoneConfiguration {
  return {
    rulesets: [
      {
        id: 'r'.padEnd(32, '0'),
        owner: { level: 'zone', id: 'z' },
        kind: 'zone',
        phase: 'http_request_firewall_custom',
        name: '',
        description: '',
        version: 1,
        lastUpdated: '',
        rules: [
          {
            id: 'rule',
            version: 1,
            ref: 'rule',
            lastUpdated: '',
            regexBytes: 0,
            definition: { action: 'block', expression: 'true', enabled: true, ...definition },
          },
        ],
      },
    ],
    legacy: { inactive: 'plan', bypasses: [], pageRules: [], managed: DEFAULT_LEGACY_CONFIGURATION },
    credentials,
  }
}

function isBlocked(
  sample: RequestSample,
  definition: Partial<RuleDefinition>,
  credentials: CredentialSettings = ON,
): boolean {
  const written = writeZoneConfiguration(zoneWith(definition, credentials))
  const deciding = runAtOnce(compileZone(JSON.parse(JSON.stringify(written)) as typeof written)) // its own JSON
  return decideRequest(deciding, inspectSample(sample)).effective.action === 'block'
}

const form = (body: string): RequestSample => ({
  method: 'POST',
  target: '/login',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})
const json = (body: unknown): RequestSample => ({
  method: 'POST',
  target: '/login',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const CHECK = 'cf.waf.credential_check'

describe('fields', () => {
  test.each<[string, RequestSample, string, boolean]>([
    ['a leaked password in a form', form('username=a&password=hunter2'), `${CHECK}.password_leaked`, true],
    ['another password', form('username=a&password=hunter3'), `${CHECK}.password_leaked`, false],
    ['in JSON', json({ user: { email: 'a', passwd: 'hunter2' } }), `${CHECK}.password_leaked`, true],
    ['in brackets', form('user%5Bpassword%5D=hunter2'), `${CHECK}.password_leaked`, true],
    ['in the query', { target: '/?password=hunter2' }, `${CHECK}.password_leaked`, false],
    ['under another name', form('secret=hunter2'), `${CHECK}.password_leaked`, false],
    ['an empty password', form('username=a&password='), 'cf.waf.auth_detected', false],
    ['credentials at all', form('username=a&password=b'), 'cf.waf.auth_detected', true],
    ['no credentials', form('comment=hunter2'), 'cf.waf.auth_detected', false],
    [
      'a leaked pair',
      form('email=Anna%40Example.com&password=s3cret'),
      `${CHECK}.username_and_password_leaked`,
      true,
    ],
    [
      'the password of another user',
      form('email=otto%40example.com&password=s3cret'),
      `${CHECK}.username_and_password_leaked`,
      false,
    ],
    ['equal', form('username=Anna&password=anna'), `${CHECK}.username_password_similar`, true],
    [
      'the name in an address',
      form('email=anna@a.example&password=anna'),
      `${CHECK}.username_password_similar`,
      true,
    ],
    ['not similar', form('username=anna&password=otto'), `${CHECK}.username_password_similar`, false],
  ])('%s', (_, sample, expression, expected) => {
    expect(isBlocked(sample, { expression })).toBe(expected)
  })

  test('are false where the zone has turned the check off, and nothing is looked up', () => {
    asked = []
    const off = { ...ON, isEnabled: false }
    const expression = `${CHECK}.password_leaked or cf.waf.auth_detected`
    expect(isBlocked(form('password=hunter2'), { expression }, off)).toBe(false)
    expect(asked).toEqual([])
  })

  test('are computed only if a rule asks', () => {
    asked = []
    const credentials = form('username=a&password=hunter2')
    expect(isBlocked(credentials, { expression: 'http.host eq "x.example"' })).toBe(false)
    expect(asked).toEqual([])
  })

  test('are offered only with a collection, but stored rules compile without it', () => {
    const field = `${CHECK}.password_leaked`
    const phase = 'http_request_firewall_custom'
    expect(offeredSchemeOf(phase, 'zone').fields.get(field)?.unavailable).toBeUndefined()
    installLeakedPasswords(undefined)
    expect(offeredSchemeOf(phase, 'zone').fields.get(field)?.unavailable).toMatch(/--leaked-passwords/)
    expect(schemeOf(phase, 'zone').fields.get(field)?.unavailable).toBeUndefined()
    expect(isBlocked(form('password=hunter2'), { expression: field })).toBe(false)
    installLeakedPasswords({ isLeaked: (text) => LEAKED.includes(text) })
  })
})

test('the field of leaked user names is refused, with the fields that a collection can answer', () => {
  const { fields } = offeredSchemeOf('http_request_firewall_custom', 'zone')
  const reason = String(fields.get(`${CHECK}.username_leaked`)?.unavailable)
  const named = reason.match(/cf\.waf\.credential_check\.\w+/g) ?? [] // none is an error here
  expect(named.length).toBeGreaterThan(0)
  for (const name of named) expect(fields.get(name)?.unavailable).toBeUndefined()
})

describe('places of a zone', () => {
  const locations = [
    {
      id: 'one',
      username: 'lookup_json_string(http.request.body.raw, "who")',
      password: 'lookup_json_string(http.request.body.raw, "secret")',
    },
    { id: 'two', username: '', password: 'http.request.headers["x-password"][0]' },
  ]
  test.each<[string, RequestSample, boolean]>([
    ['an expression', json({ who: 'a', secret: 'hunter2' }), true],
    ['without a user name', { headers: { 'x-password': 'hunter2' } }, true],
    ['the usual names still count', form('password=hunter2'), true],
    ['nothing there', json({ who: 'hunter2' }), false],
  ])('%s', (_, sample, expected) => {
    const expression = `${CHECK}.password_leaked`
    expect(isBlocked(sample, { expression }, { isEnabled: true, locations })).toBe(expected)
  })
})

describe('rules with exposed_credential_check', () => {
  const exposedCheck = {
    username_expression: 'url_decode(http.request.body.form["user"][0])',
    password_expression: 'url_decode(http.request.body.form["word"][0])',
  }
  test.each<[string, RequestSample, string, boolean]>([
    ['a leaked password', form('user=a&word=hunter2'), 'true', true],
    ['a leaked pair', form('user=anna%40example.com&word=s3cret'), 'true', true],
    ['another password', form('user=a&word=hunter3'), 'true', false],
    ['no password', form('user=a'), 'true', false],
    ['the expression does not match', form('user=a&word=hunter2'), 'http.host eq "x.example"', false],
  ])('%s', (_, sample, expression, expected) => {
    const off = { ...ON, isEnabled: false }
    expect(isBlocked(sample, { expression, exposedCheck }, off)).toBe(expected)
  })
})
