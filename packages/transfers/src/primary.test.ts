// Limits for a primary's answers, in number and in time: each limit reached, and exceeded by one.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { parseName } from '@zonereeve/dns'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '@zonereeve/platform'
import { startScriptedPrimary, type Script } from './scripted-primary.cases.ts'
import { HOST, KEY, NOW } from './asking.cases.ts'
import { hmac } from './hmac.ts'
import { converse, type PrimaryLimits } from './primary.ts'

const APEX = 'followed.example'
const LIMITS: PrimaryLimits = {
  records: 4,
  octets: 2_000,
  idleMillis: 10_000,
  differenceIdleMillis: 10_000,
  totalMillis: 10_000,
}
const WHOLE = ['SOA 2', `${APEX} 60 NS ns.${APEX}.`, `www.${APEX} 60 A 192.0.2.1`, 'SOA 2']
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

async function transfer(
  script: Omit<Script, 'serial' | 'key'>,
  limits: Partial<PrimaryLimits> = {},
  fromSerial?: number,
) {
  const clock = manualClock(NOW)
  const primary = await startScriptedPrimary(
    { apex: APEX, hmac, nowSeconds: () => clock.now() / 1000 },
    { serial: 2, key: KEY, ...script },
  )
  open.push(primary)
  const peer = { id: 'peer', address: HOST, port: primary.port, key: KEY }
  const conversation = converse({
    peer,
    apex: parseName(APEX),
    clock,
    limits: { ...LIMITS, ...limits },
    signal: new AbortController().signal,
  })
  open.push(conversation)
  expect(await conversation.serial()).toBe(2)
  return conversation.transfer(fromSerial)
}

test('the maximum number of records', async () => {
  const received = await transfer({ axfr: [WHOLE] })
  expect(received).toMatchObject({ kind: 'zone', soa: { serial: 2 }, contents: { kind: 'whole' } })
})

test.each([
  [
    'one record more',
    { axfr: [[...WHOLE.slice(0, 3), `b.${APEX} 60 A 192.0.2.2`, 'SOA 2']] },
    {},
    /4 records/,
  ],
  [
    'a stream without an end',
    { axfr: [WHOLE.slice(0, 2), WHOLE.slice(2, 3)], signs: 1, isEndless: true },
    { records: 1_000 },
    /2000 octets/,
  ],
  ['silence in the middle', { axfr: [WHOLE.slice(0, 3)] }, { idleMillis: 50 }, /silent/],
  ['a stream that takes too long', { axfr: [WHOLE.slice(0, 3)] }, { totalMillis: 50 }, /too long/],
  ['no record at all', { axfr: [[]] }, {}, /without records/],
  ['the end of the connection', { axfr: [WHOLE.slice(0, 3)], cuts: true }, {}, /ended the connection/],
])('%s is rejected', async (_, script, limits, problem) => {
  await expect(transfer(script, limits)).rejects.toThrow(problem)
})

test('an unreachable primary fails a conversation before its first query, and nothing else', async () => {
  const failed: unknown[] = []
  const watch = (error: unknown): void => void failed.push(error)
  process.on('uncaughtExceptionMonitor', watch)
  const closed = createServer().listen(0, HOST)
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo // it listens on TCP
  await new Promise((resolve) => closed.close(resolve))
  const conversation = converse({
    peer: { id: 'peer', address: HOST, port, key: undefined },
    apex: parseName(APEX),
    clock: manualClock(NOW),
    limits: LIMITS,
    signal: new AbortController().signal,
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect(conversation.serial()).rejects.toThrow(/ECONNREFUSED/)
  process.off('uncaughtExceptionMonitor', watch)
  expect(failed).toEqual([])
})

describe('a difference', () => {
  const PARTS = ['SOA 2', 'SOA 1', `www.${APEX} 60 A 192.0.2.1`, 'SOA 2', `www.${APEX} 60 A 192.0.2.2`]

  test.each([
    ['that never ends', [PARTS]],
    ['with only the SOA received', [['SOA 2']]],
  ])('%s is given up long before the limit for the primary', async (_, ixfr) => {
    const limits = { records: 100, idleMillis: 600_000, totalMillis: 600_000, differenceIdleMillis: 50 }
    await expect(transfer({ axfr: [], ixfr }, limits, 1)).rejects.toThrow(/silent/)
  })

  test('that arrives message by message is accepted', async () => {
    const ixfr = [...PARTS.map((record) => [record]), ['SOA 2']]
    const received = await transfer({ axfr: [], ixfr }, { records: 100, differenceIdleMillis: 9_000 }, 1)
    expect(received).toMatchObject({ kind: 'zone', fromSerial: 1, contents: { kind: 'difference' } })
  })
})
