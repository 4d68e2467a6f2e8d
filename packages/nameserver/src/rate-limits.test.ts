import { describe, expect, test } from 'vitest'
import { createRateLimits, type AnswerKind, type RateLimitsOptions, type Verdict } from './rate-limits.ts'

const SECOND = 1000

function limitsWith(given: Partial<RateLimitsOptions> = {}) {
  const clock = { ms: 5_000_000 }
  const limits = createRateLimits({
    perSecond: 10,
    slip: 2,
    isExempt: () => false,
    now: () => clock.ms,
    seed: 0x1234_5678,
    ...given,
  })
  const judge = (count: number, address = '192.0.2.1', kind: AnswerKind = 'answer'): Verdict[] =>
    Array.from({ length: count }, () => limits.judge(address, kind))
  return { clock, judge }
}
const sent = (verdicts: readonly Verdict[]): number => verdicts.filter((verdict) => verdict === 'send').length

describe('one network', () => {
  test('gets the limit, then every second answer slips and the others are dropped', () => {
    const { judge } = limitsWith()
    expect(judge(14).slice(9)).toEqual(['send', 'drop', 'slip', 'drop', 'slip'])
  })

  test.each([
    [0, ['drop', 'drop', 'drop']],
    [1, ['slip', 'slip', 'slip']],
    [3, ['drop', 'drop', 'slip']],
  ])('with slip %i', (slip, expected) => {
    const { judge } = limitsWith({ slip })
    expect(judge(13).slice(10)).toEqual(expected)
  })

  test('regains answers in proportion to time, never more than those of a second', () => {
    const { clock, judge } = limitsWith()
    judge(50)
    clock.ms += SECOND / 2
    expect(sent(judge(50))).toBe(5)
    clock.ms += 60 * SECOND
    expect(sent(judge(50))).toBe(10)
  })

  test('a clock that is set back grants no answers', () => {
    const { clock, judge } = limitsWith()
    judge(50)
    clock.ms -= 60 * SECOND
    expect(sent(judge(50))).toBe(0)
  })

  test('kinds are counted separately', () => {
    const { judge } = limitsWith()
    judge(50, '192.0.2.1', 'no_name')
    expect([sent(judge(1, '192.0.2.1', 'no_name')), sent(judge(10)), sent(judge(1))]).toEqual([0, 10, 0])
  })
})

describe('which addresses belong to one network', () => {
  const cases: [one: string, other: string, same: boolean][] = [
    ['192.0.2.1', '192.0.2.255', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.9', true],
    ['2001:db8:0:ff00::1', '2001:db8:0:ffff:1::', true],
    ['2001:db8:0:ff00::1', '2001:db8:0:fe00::1', false],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
  ]
  test.each(cases)('%s and %s', (one, other, same) => {
    const { judge } = limitsWith()
    judge(50, one)
    expect(sent(judge(1, other))).toBe(same ? 0 : 1)
  })
})

test('an exempt client gets every answer; the exemption is checked only above the limit, once for a run of packets', () => {
  const asked: string[] = []
  const { judge } = limitsWith({ isExempt: (address) => asked.push(address) > 0 && address === '192.0.2.1' })
  expect(sent(judge(10, '192.0.2.1'))).toBe(10)
  expect(asked).toEqual([])
  expect(sent(judge(3, '192.0.2.1'))).toBe(3)
  expect(asked).toEqual(['192.0.2.1'])
})

test('the remembered result for one client is not used for the next', () => {
  const { judge } = limitsWith({ isExempt: (address) => address === '192.0.2.1' })
  for (const address of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) judge(10, address)
  for (let i = 0; i < 3; i += 1) {
    expect(sent(judge(1, '192.0.2.1'))).toBe(1)
    expect(sent(judge(1, '198.51.100.1'))).toBe(0)
    expect(sent(judge(1, '203.0.113.1'))).toBe(0)
  }
})

test('with more networks than buckets, idle networks lose theirs, and busy ones stay limited', () => {
  const { clock, judge } = limitsWith({ buckets: 64 })
  for (let i = 0; i < 200; i += 1) {
    clock.ms += 1
    judge(50, '192.0.2.1')
    expect(sent(judge(1, `10.${i}.0.1`))).toBe(1)
  }
  expect(sent(judge(1, '192.0.2.1'))).toBe(0)
})
