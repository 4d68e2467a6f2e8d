// Connection limits within the limit of open files: as configured if they fit, otherwise reduced in proportion.
import { describe, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { fitConnections } from './open-files.ts'

const config = loadConfig({
  flags: { 'http-connections': '2000', 'dns-tcp-connections': '1000' },
  environment: {},
})

describe('connections', () => {
  test.each([
    ['as configured if the limit leaves enough for the rest', 3_256, [2000, 1000], 0],
    ['in proportion, one file below', 3_255, [1999, 999], 1],
    ['in proportion to what common limits leave', 1_024, [512, 256], 1],
    ['a quarter of a low limit', 256, [42, 21], 1],
    ['at least some, for any limit', 16, [4, 4], 1],
    ['as configured without a limit', Infinity, [2000, 1000], 0],
  ])('%s', (_, openFiles, expected, warnings) => {
    const lines: object[] = []
    const fitted = fitConnections(config, { warn: (fields) => void lines.push(fields) }, openFiles)
    expect([fitted.httpConnections, fitted.dnsTcpConnections]).toEqual(expected)
    const [httpConnections, dnsTcpConnections] = expected
    expect(lines).toEqual(warnings === 0 ? [] : [{ openFiles, httpConnections, dnsTcpConnections }])
    expect({ ...fitted, httpConnections: 2000, dnsTcpConnections: 1000 }).toEqual(config)
  })
})
