import { expect, test } from 'vitest'
import { issueText } from './issue-text.ts'

const issue = (message: string, code = 1004) => ({ code, message })

test.each([
  ['none', [], { headline: '', codes: '' }],
  ['one, as it is', [issue('A name is missing')], { headline: 'A name is missing', codes: '1004' }],
  [
    'two that end without a period',
    [issue('A is wrong'), issue('B is wrong', 1005)],
    { headline: 'A is wrong. B is wrong.', codes: '1004, 1005' },
  ],
  ['the same twice', [issue('A.'), issue('A.')], { headline: 'A.', codes: '1004' }],
  ['three', ['A.', 'B.', 'C.'].map((text) => issue(text)), { headline: 'A. B. C.', codes: '1004' }],
  [
    'one more than are shown',
    ['A.', 'B.', 'C.', 'D.'].map((text) => issue(text)),
    { headline: 'A. B. C. And 1 more.', codes: '1004' },
  ],
  [
    'one for each of forty permissions',
    Array.from({ length: 40 }, (_, index) => issue(`${index}.`)),
    { headline: '0. 1. 2. And 37 more.', codes: '1004' },
  ],
])('%s', (_, issues, expected) => expect(issueText(issues)).toEqual(expected))
