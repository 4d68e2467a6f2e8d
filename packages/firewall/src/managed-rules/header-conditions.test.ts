// The headers without which, or with which, an expression cannot hold.
import { parseExpression } from '@zonereeve/expr'
import { expect, test } from 'vitest'
import { headerConditionsOf } from './header-conditions.ts'
import { DETECTION_SCHEME } from './inspected-request.ts'

const HAS = 'has_key(http.request.headers, "accept")'
const sent = { name: 'accept', isSent: true }
const absent = { name: 'accept', isSent: false }

test.each([
  ['a header', HAS, [sent]],
  ['no header', `not ${HAS}`, [absent]],
  ['all parts of a conjunction', `${HAS} and http.host eq "a" and not ${HAS}`, [sent, absent]],
  ['what all alternatives need', `(${HAS} and ssl) or (${HAS} and http.host eq "a")`, [sent]],
  ['alternatives that need different ones', `${HAS} or http.host eq "a"`, []],
  ['either of two', `${HAS} xor ssl`, []],
  ['a negated conjunction', `not (${HAS} and ssl)`, []],
  ['another map', 'has_key(http.request.cookies, "accept")', []],
])('%s', (_, expression, conditions) => {
  expect(headerConditionsOf(parseExpression(expression, DETECTION_SCHEME))).toEqual(conditions)
})
