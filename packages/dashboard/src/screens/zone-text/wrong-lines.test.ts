import { expect, test } from 'vitest'
import { issueLine, wrongLineNumbers } from './wrong-lines.tsx'

const issue = (pointer?: string) => ({
  code: 9000,
  message: 'wrong',
  ...(pointer === undefined ? {} : { source: { pointer } }),
})

test.each([
  ['/file/12', 12],
  ['/file/2/ttl', 2],
  ['/file/x', undefined],
  ['/file', undefined],
  ['/name', undefined],
  [undefined, undefined],
])('the line of %s', (pointer, line) => expect(issueLine(issue(pointer))).toBe(line))

test('lines without a number are not marked', () =>
  expect(wrongLineNumbers([issue('/file/3/name'), issue(), issue('/file/1')])).toEqual([3, 1]))
