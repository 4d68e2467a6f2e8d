import { expect, test } from 'vitest'
import { linePath } from './line-path.ts'

test.each([
  [[5], 'M0.0 5.0h100'],
  [[0, 10, 5], 'M0.0 10.0L50.0 0.0L100.0 5.0'],
])('%s is drawn', (rates, path) => expect(linePath(rates, 10, { width: 100, height: 10 })).toBe(path))
