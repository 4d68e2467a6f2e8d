import { expect, test } from 'vitest'
import { ApiError } from '../../api/call.ts'
import { failureOf } from './import-run.ts'

const ZONE = { id: 'z', name: 'example.com' }
const issue = (code: number) => [{ code, message: 'no' }]

test.each([
  ['the server refuses the records', new ApiError(400, issue(9_000), 'r'), 'empty'],
  ['the server says that it failed', new ApiError(500, issue(10_000), 'r'), 'empty'],
  ['a proxy refuses the upload', new ApiError(413, issue(0), undefined), 'empty'],
  ['the server does not answer', new ApiError(0, issue(0), undefined), 'unanswered'],
  ['a proxy waits too long', new ApiError(504, issue(0), undefined), 'unanswered'],
  ['the connection ends within the answer', new TypeError('network error'), 'unanswered'],
])('if %s', (_, error, kind) => expect(failureOf(error, ZONE).kind).toBe(kind))
