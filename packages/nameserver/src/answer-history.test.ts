// Answers of zones over the last day.
import { expect, test } from 'vitest'
import { BIN_MILLIS, createAnswerHistory, type CounterReading } from './answer-history.ts'

const START = Date.parse('2026-01-05T10:00:00Z')
const MINUTE = 60_000
const read = (count: number, rcode = 'NOERROR', zone = 'example.com'): CounterReading => ({
  zone,
  rcode,
  count,
})

test('a zone without a query has no history', () => {
  expect(createAnswerHistory().of('example.com', START)).toBeUndefined()
})

test('counters become what came since the last reading, by outcome', () => {
  const history = createAnswerHistory()
  history.record([read(5), read(1, 'NXDOMAIN')], START)
  history.record([read(25), read(1, 'NXDOMAIN'), read(2, 'SERVFAIL'), read(1, 'REFUSED')], START + 10_000)
  expect(history.of('example.com', START + 10_000)).toEqual({
    bins: [{ startMillis: START, answered: 25, noSuchName: 1, failed: 3 }],
    recent: { answered: 20, noSuchName: 0, failed: 3, millis: 10_000 },
  })
})

test('zones are counted apart', () => {
  const history = createAnswerHistory()
  history.record([read(5), read(7, 'NOERROR', 'example.net')], START)
  expect(history.of('example.net', START)?.bins.map(({ answered }) => answered)).toEqual([7])
})

test('bins without answers are there, also those since the last reading', () => {
  const history = createAnswerHistory()
  history.record([read(1)], START)
  history.record([read(4)], START + 25 * MINUTE)
  const bins = history.of('example.com', START + 41 * MINUTE)?.bins
  expect(bins?.map(({ answered }) => answered)).toEqual([1, 0, 3, 0, 0])
  expect(bins?.map(({ startMillis }) => (startMillis - START) / BIN_MILLIS)).toEqual([0, 1, 2, 3, 4])
})

test.each([24 * 60, 24 * 60 + 3, 3 * 24 * 60])('after %s minutes there are bins of one day', (minutes) => {
  const history = createAnswerHistory()
  history.record([read(1)], START)
  history.record([read(2)], START + minutes * MINUTE)
  const bins = history.of('example.com', START + minutes * MINUTE)?.bins ?? []
  expect(bins.length).toBe(144)
  expect(bins.at(-1)?.answered).toBe(1)
  expect(bins.slice(0, -1).every(({ answered }) => answered === 0)).toBe(true)
})

test('a zone without a query has no rates', () => {
  expect(createAnswerHistory().rates('example.com', START)).toBeUndefined()
})

test('rates are of all response codes: now, and averages of two hours', () => {
  const history = createAnswerHistory()
  history.record([read(0)], START)
  history.record([read(600), read(600, 'NXDOMAIN')], START + 5 * MINUTE)
  history.record([read(4_200), read(600, 'NXDOMAIN')], START + 125 * MINUTE)
  expect(history.rates('example.com', START + 125 * MINUTE)).toEqual({
    perSecond: 0.5, // 3,600 in two hours
    day: [2, 0.52], // 1,200 in the first bin; 3,600 in eleven bins and five minutes
  })
})

test('rates of a day are twelve', () => {
  const history = createAnswerHistory()
  history.record([read(1)], START)
  history.record([read(2)], START + 30 * 60 * MINUTE)
  expect(history.rates('example.com', START + 30 * 60 * MINUTE)?.day.length).toBe(12)
})
