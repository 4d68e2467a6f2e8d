import { describe, expect, test } from 'vitest'
import type { RuleDraft } from '../../api/rulesets.ts'
import { readRedirect, targetProblem, writeRedirect } from './redirect-draft.ts'

const redirect = (fromValue: object | undefined): RuleDraft => ({
  description: 'Old pages',
  action: 'redirect',
  expression: 'http.request.uri.path eq "/old"',
  ...(fromValue !== undefined && { actionParameters: { from_value: fromValue } }),
})
const URL = { value: 'https://www.example.com/new' }
const COMPUTED = { expression: 'concat("https://www.example.com", http.request.uri.path)' }

describe('redirects', () => {
  test.each([
    ['to a fixed URL', { target_url: URL, status_code: 308, preserve_query_string: true }],
    ['to a computed URL', { target_url: COMPUTED, status_code: 302, preserve_query_string: false }],
  ])('%s: what is read is written again', (_, fromValue) =>
    expect(writeRedirect(readRedirect(redirect(fromValue)))).toEqual(redirect(fromValue)),
  )

  test('without a status and a query the defaults are written', () =>
    expect(writeRedirect(readRedirect(redirect({ target_url: URL })))).toEqual(
      redirect({ target_url: URL, status_code: 301, preserve_query_string: false }),
    ))

  test('what is not chosen is not written', () => {
    const both = { ...readRedirect(redirect({ target_url: URL })), target: COMPUTED.expression }
    expect(writeRedirect(both).actionParameters).toMatchObject({ from_value: { target_url: URL } })
    expect(writeRedirect({ ...both, isComputed: true }).actionParameters).toMatchObject({
      from_value: { target_url: COMPUTED },
    })
  })

  test.each([
    ['a URL', { target_url: URL }, undefined],
    ['a new one', undefined, /example/],
    ['whitespace', { target_url: { value: ' ' } }, /example/],
    ['an expression', { target_url: COMPUTED }, undefined],
    ['an unknown field', { target_url: { expression: 'http.hots' } }, /./],
    ['a number', { target_url: { expression: 'ip.src.asnum' } }, /string/],
    ['a condition', { target_url: { expression: 'http.host eq "a"' } }, /./],
  ])('%s: the problem of the target', (_, fromValue, problem) => {
    const found = targetProblem(readRedirect(redirect(fromValue)))
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})
