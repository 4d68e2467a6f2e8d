import { expect, test } from 'vitest'
import { loggedLines } from './logged-fields.ts'

test('what rules log is one line for each value', () => {
  const fields = {
    request_headers: { 'x-team': 'one' },
    response_headers: { 'set-cookie': ['a=1', 'b=2'], server: 'origin' },
    cookies: { sid: '1' },
    shortened: false,
  }
  expect(loggedLines(fields)).toEqual([
    'x-team: one',
    'response, set-cookie: a=1',
    'response, set-cookie: b=2',
    'response, server: origin',
    'cookie, sid: 1',
  ])
})
