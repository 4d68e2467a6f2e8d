// Tests of clock, IDs, entity tags and errors.
import { describe, expect, test } from 'vitest'
import { manualClock, systemClock } from './clock.ts'
import { DomainError, throwIfIssues } from './domain-error.ts'
import { requireMatch, etagOf, readIfMatch } from './etag.ts'
import { randomIds } from './ids.ts'

describe('clocks', () => {
  test('the system clock never returns the same instant twice, and never goes back', () => {
    const clock = systemClock()
    const stamps = Array.from({ length: 2000 }, () => clock.timestamp())
    expect(stamps).toEqual([...new Set(stamps)].toSorted())
    expect(stamps.every((stamp) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(stamp))).toBe(true)
    expect(Math.abs(Date.parse(stamps[0] ?? '') - clock.now())).toBeLessThan(60_000)
  })

  test('a manual clock stands still until it is advanced', () => {
    const clock = manualClock(Date.parse('2026-01-05T10:20:30.999Z'))
    expect([clock.now(), clock.now()]).toEqual([clock.now(), clock.now()])
    expect([clock.timestamp(), clock.timestamp()]).toEqual([
      '2026-01-05T10:20:30.999001Z',
      '2026-01-05T10:20:30.999002Z',
    ])
    clock.advance(1)
    expect(clock.timestamp()).toBe('2026-01-05T10:20:31.000001Z')
  })
})

describe('identifiers', () => {
  test('have the forms that clients check, and do not repeat', () => {
    const ids = randomIds()
    const made = Array.from({ length: 1000 }, () => ids.id())
    const values = Array.from({ length: 1000 }, () => ids.tokenValue())
    expect(made.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
    expect(values.every((value) => /^[A-Za-z0-9_-]{40}$/.test(value))).toBe(true)
    expect([new Set(made).size, new Set(values).size]).toEqual([1000, 1000])
  })
})

describe('entity tags', () => {
  const tag = etagOf('text')

  test('are strong, and differ for different strings', () => {
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    expect([etagOf('text'), etagOf('text ') === tag]).toEqual([tag, false])
  })

  const rows: [header: string | undefined, matches: boolean][] = [
    [undefined, true],
    ['*', true],
    [tag, true],
    [`"other", ${tag}`, true],
    [`"other",${tag} ,"third"`, true],
    ['"other"', false],
    [`W/${tag}`, false],
    [tag.slice(1, -1), false],
    ['', false],
  ]
  test.each(rows)('If-Match: %s', (header, matches) => {
    const requireMatching = () => requireMatch(readIfMatch(header), tag)
    if (matches) expect(requireMatching).not.toThrow()
    else
      expect(requireMatching).toThrow(
        expect.objectContaining({ issues: [{ reason: 'request.precondition', values: { etag: tag } }] }),
      )
  })
})

describe('errors', () => {
  test('contain all issues, and are not thrown without any', () => {
    expect(() => throwIfIssues([])).not.toThrow()
    const issues = [{ reason: 'record.name', pointer: '/name' }, { reason: 'record.ttl' }] as const
    expect(() => throwIfIssues(issues)).toThrow(expect.objectContaining({ issues }))
    expect(new DomainError({ reason: 'zone.unknown' })).toMatchObject({
      message: 'zone.unknown',
      issues: [{ reason: 'zone.unknown' }],
      notices: [],
    })
  })
})
