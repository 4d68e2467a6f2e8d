import { expect, test } from 'vitest'
import { backoffMillis } from './backoff.ts'

test.each([
  ['the first failure', 1, 1_000],
  ['the second', 2, 2_000],
  ['the third', 3, 4_000],
  ['the last one below the longest', 4, 8_000],
  ['one that would exceed it', 5, 10_000],
  ['ever so many', 10_000, 10_000],
])('%s', (_, failures, millis) => expect(backoffMillis(failures, 1_000, 10_000)).toBe(millis))
