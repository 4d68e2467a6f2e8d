import { describe, expect, test } from 'vitest'
import { ApiError } from '../../api/call.ts'
import { issuesByField } from './rule-issues.ts'

const issue = (pointer: string | undefined, message = 'wrong') => ({
  code: 19535,
  message,
  ...(pointer !== undefined && { source: { pointer } }),
})
const refused = (...pointers: readonly (string | undefined)[]) =>
  new ApiError(
    400,
    pointers.map((pointer) => issue(pointer)),
    'request',
  )

const FIELDS = ['expression', 'ratelimit/characteristics', 'ratelimit/characteristics/1', 'ratelimit/period']

describe('issues of the API, by field', () => {
  test.each([
    ['of a rule', '/ratelimit/period', 'ratelimit/period'],
    ['of the first rule of a phase', '/rules/0/ratelimit/period', 'ratelimit/period'],
    ['of one item', '/ratelimit/characteristics/1', 'ratelimit/characteristics/1'],
    ['of an item without a field', '/ratelimit/characteristics/10', 'ratelimit/characteristics'],
    ['of a member within', '/expression/x', 'expression'],
  ])('%s', (_, pointer, field) => {
    const { byField, other } = issuesByField(refused(pointer), FIELDS)
    expect([...byField]).toEqual([[field, 'wrong (19535)']])
    expect(other).toBeNull()
  })

  test.each([
    ['a quota', '/rules'],
    ['another member', '/ratelimit/requests_to_origin'],
    ['no pointer', undefined],
    ['a name that only begins so', '/expressions'],
  ])('%s is about no field', (_, pointer) => {
    const { byField, other } = issuesByField(refused(pointer, '/expression'), FIELDS)
    expect([...byField.keys()]).toEqual(['expression'])
    expect(other).toMatchObject({ issues: [issue(pointer)], requestId: 'request' })
  })

  test('two issues of one field are both said', () => {
    const { byField } = issuesByField(refused('/expression', '/expression'), FIELDS)
    expect(byField.get('expression')).toBe('wrong (19535) wrong (19535)')
  })

  test.each([
    ['no error', null],
    ['no answer', new ApiError(0, [], undefined)],
    ['an error of our own', new Error('broken')],
  ])('%s stays what it is', (_, error) => {
    const { byField, other } = issuesByField(error, FIELDS)
    expect(byField.size).toBe(0)
    expect(other === null ? null : other.message).toBe(error === null ? null : error.message)
  })
})
