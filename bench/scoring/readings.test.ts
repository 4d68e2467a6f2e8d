import { expect, test } from 'vitest'
import { readingsFile } from './readings.ts'

test.each<[name: string, sources: readonly string[]]>([
  ['a new feature', ['calls\nloops\nfetch', 'code']],
  ['features in another order', ['loops\ncalls', 'code']],
  ['a changed source', ['calls\nloops', 'other code']],
  ['a line that moved to another source', ['calls', 'loops\ncode']],
])('readings are not taken over after %s', (_, sources) => {
  const before = readingsFile('samples', 'readings', ['calls\nloops', 'code'])
  expect(before).toMatch(/^samples.readings-[0-9a-f]{16}\.jsonl$/)
  expect(readingsFile('samples', 'readings', ['calls\nloops', 'code'])).toBe(before)
  expect(readingsFile('samples', 'readings', sources)).not.toBe(before)
})
