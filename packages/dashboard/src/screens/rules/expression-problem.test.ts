import { describe, expect, test } from 'vitest'
import {
  bytesOf,
  COUNTING_NAMES,
  countingProblemOf,
  OFFERED_NAMES,
  problemOf,
  stringProblemOf,
  valueProblemOf,
} from './expression-problem.ts'

describe('what is wrong with an expression', () => {
  test.each([
    ['a comparison', 'http.host eq "example.com"'],
    ['over two lines', 'http.host eq "example.com"\nand ip.src eq 192.0.2.1'],
    ['a field that needs configuration', 'ip.src.country eq "DE"'],
    ['everything', 'true'],
  ])('%s: nothing', (_, expression) => expect(problemOf(expression)).toBeUndefined())

  test.each([
    ['an unknown field', 'http.hots eq "a"', 1, 1],
    ['in the second line', 'http.host eq "ä" and\n  http.hots eq "a"', 2, 3],
    ['behind letters of two bytes', 'http.host eq "ä" and http.hots eq "a"', 1, 22],
    ['of responses', 'http.response.code eq 500', 1, 1],
    ['empty', '', 1, 1],
  ])('%s: where', (_, expression, line, column) =>
    expect(problemOf(expression)).toMatchObject({ line, column, message: expect.stringMatching(/./) }),
  )

  test.each([
    ['a letter is missing', 'ip.src.contry in {"DE"}', 'ip.src.country'],
    ['two letters are swapped', 'http.hots eq "a"', 'http.host'],
    ['a function', 'start_with(http.host, "a")', 'starts_with'],
    ['nothing like it', 'visitor eq "a"', undefined],
    ['another error', 'http.host eq 1', undefined],
  ])('%s: the similar name', (_, expression, name) => expect(problemOf(expression)?.similar).toBe(name))

  test('the length counts bytes', () => expect(bytesOf('ä')).toBe(2))

  test('every offered field can be used, and none of responses', () => {
    const names = OFFERED_NAMES.map(({ label }) => label)
    expect(names).toContain('http.request.uri.path')
    expect(names).toContain('starts_with')
    expect(names).not.toContain('http.response.code')
    const refused = OFFERED_NAMES.filter(({ type }) => type === 'variable').filter(({ label }) =>
      /unavailable|known in response|account-level/.test(`${problemOf(`${label} eq "a"`)?.message}`),
    )
    expect(refused).toEqual([])
  })

  test('what counts may use the response', () => {
    expect(countingProblemOf('http.response.code eq 401')).toBeUndefined()
    expect(countingProblemOf('http.response.cod eq 401')?.similar).toBe('http.response.code')
    expect(COUNTING_NAMES.map(({ label }) => label)).toContain('http.response.code')
  })

  test.each([
    ['a string', 'lower(http.host)', undefined, undefined],
    [
      'a number',
      'http.request.timestamp.sec',
      undefined,
      { message: 'it must give a string', line: 1, column: 1 },
    ],
    ['a condition', 'http.host eq "a"', { line: 1, column: 10 }, { line: 1, column: 10 }],
    ['an unknown field', 'http.hots', { similar: 'http.host' }, { similar: 'http.host' }],
    ['nothing', '', { line: 1, column: 1 }, { line: 1, column: 1 }],
  ])('%s as a value of any type, and as a string', (_, expression, ofAny, ofString) => {
    const expectProblem = (found: object | undefined, expected: object | undefined) =>
      expected === undefined ? expect(found).toBeUndefined() : expect(found).toMatchObject(expected)
    expectProblem(valueProblemOf(expression), ofAny)
    expectProblem(stringProblemOf(expression), ofString)
  })
})
