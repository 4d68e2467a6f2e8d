// The list of long tests names files that exist: one that was renamed would run again in every first run.
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LONG_TESTS } from './long-tests.ts'

test.each(LONG_TESTS)('%s exists, once in the list', (file) => {
  expect(existsSync(new URL(`../${file}`, import.meta.url))).toBe(true)
  expect(LONG_TESTS.filter((other) => other === file)).toEqual([file])
})
