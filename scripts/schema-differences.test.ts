// The list of differences from the published schema explains exactly the complaints it names, and no others.
import { describe, expect, test } from 'vitest'
import { unexplainedLines } from '../acceptance/schema-differences.ts'

const END = '10 exchanges, 3 of 157 operations seen, 0 outside the spec\n5 passed, 1 failed\n'
const explained = (line: string): boolean => unexplainedLines(`${line}\n${END}`).length === 0

describe('complaints of the validator', () => {
  test.each([
    ['  408 x POST /zones/{zone_id}/dns_records 200: /result/comment must be string   e.g. null', true],
    [
      '    1 x GET /zones/{zone_id}/dns_records/{dns_record_id} 404: /result must be object   e.g. null',
      true,
    ],
    ['    3 x POST /zones 200: /result/owner/id must be string   e.g. null', true],
    ['   51 x POST /zones/{zone_id}/dns_records: .result.zone_name', true],
    ['    1 x (no such operation in the spec) GET /zones/:id/settings/http3 -> 200', true],
    ['    1 x GET /zones/{zone_id}/dns_records 200: /result must be object   e.g. null', false],
    ['    1 x POST /zones/{zone_id}/dns_records 200: /result/content must be string   e.g. null', false],
    ['    1 x POST /zones/{zone_id}/dns_records: .result.secret', false],
    ['    1 x GET /zones/{zone_id}/dns_settings 200: /result/owner/id must be string   e.g. null', false],
    ['    1 x (no such operation in the spec) GET /zones/:id/dns_records/strange -> 200', false],
    ['    1 x a line of another form', false],
  ])('%s', (line, isExplained) => {
    expect(explained(line)).toBe(isExplained)
  })

  test('output without complaints is accepted, output of an unfinished run is not', () => {
    expect(unexplainedLines(END)).toEqual([])
    expect(() => unexplainedLines('Error: no such file')).toThrow(/did not finish/)
  })
})
