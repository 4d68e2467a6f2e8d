// Counts that several processes share: windows, what is reported, and what others must not be able to do with it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRequestCounts } from './request-counts.ts'

const WINDOW = 60_000

function processes(count: number, { reportedFrom = 1, maxKeys = 100 } = {}) {
  let time = 0
  const options = { windowMillis: WINDOW, reportedFrom, maxKeys, now: () => time }
  const all = Array.from({ length: count }, () => createRequestCounts(options))
  return {
    all,
    pass: (millis: number) => void (time += millis),
    /** Each reports to all others. */
    report() {
      const reported = all.map((one) => one.own())
      all.forEach((one, at) => one.take(reported.filter((_, other) => other !== at)))
    },
  }
}

test('what others count is added once they have reported it, until their windows end', () => {
  const {
    all: [a, b],
    pass,
    report,
  } = processes(2)
  for (let at = 1; at <= 10; at += 1) expect(a?.add('key')).toEqual({ count: at, millis: WINDOW })
  expect(b?.add('key')).toEqual({ count: 1, millis: WINDOW })
  pass(40_000)
  report()
  expect([b?.add('key'), b?.add('other')]).toEqual([
    { count: 12, millis: 20_000 },
    { count: 1, millis: WINDOW },
  ])
  // The same again is no other request.
  report()
  expect(b?.add('key').count).toBe(13)
  pass(20_000)
  expect(b?.add('key')).toEqual({ count: 1, millis: WINDOW })
})

test('three processes, each with the requests to the others', () => {
  const { all, report } = processes(3)
  for (const one of all) for (let at = 0; at < 5; at += 1) one.add('key')
  report()
  expect(all.map((one) => one.add('key').count)).toEqual([16, 16, 16])
})

test('keys are not reported, nor are those with few requests', () => {
  const {
    all: [a],
  } = processes(1, { reportedFrom: 3 })
  for (const key of ['secret-token', 'secret-token', 'secret-token', 'rare']) a?.add(key)
  const reported = a?.own() ?? ''
  expect(JSON.parse(reported)).toEqual([[expect.stringMatching(/^[\w-]{22}$/), 3, WINDOW]])
  expect(reported).not.toContain('secret')
})

test('of too many keys, the one that was not used for longest is forgotten', () => {
  const {
    all: [a],
  } = processes(1, { maxKeys: 2 })
  for (const key of ['a', 'b', 'a', 'c']) a?.add(key)
  expect([a?.add('a').count, a?.add('b').count]).toEqual([3, 1])
})

test('whatever others report is taken or left out, and never shortens a count', () => {
  const reported = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `[["x",${json},1]]`),
  )
  fc.assert(
    fc.property(fc.array(reported), (all) => {
      const {
        all: [a],
      } = processes(1)
      a?.add('key')
      a?.take(all)
      return (a?.add('key').count ?? 0) >= 2
    }),
  )
})
