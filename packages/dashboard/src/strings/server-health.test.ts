// Sizes and durations in words.
import { expect, test } from 'vitest'
import { bytesText, healthStrings } from './server-health.ts'

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [61_400, '61 kB'],
  [1_440_000_000, '1.4 GB'],
  [12e15, '12000 TB'],
])('%s bytes are %s', (bytes, expected) => expect(bytesText(bytes)).toBe(expected))

test.each([
  ['dnssec keys', 'DNSSEC keys'],
  ['page shield sweep', 'Monitoring sweep'],
  ['page checks', 'Page checks'],
])('the job %s is called %s', (name, expected) => expect(healthStrings.jobName(name)).toBe(expected))

test.each([
  [0.0001, '< 1 ms'],
  [0.0124, '12 ms'],
  [1.25, '1.3 s'],
])('%s seconds are %s', (seconds, expected) => expect(healthStrings.seconds(seconds)).toBe(expected))
