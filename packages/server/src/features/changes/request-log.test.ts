// Entries about requests without a change: their limit, and what happens when the database fails.
import { expect, test } from 'vitest'
import { manualClock, silentLog } from '@zonereeve/platform'
import { IN_MEMORY, openSqliteStorage } from '@zonereeve/storage'
import { entriesAfter } from './audit-log.store.ts'
import { createRequestLog, MAX_ANONYMOUS, MAX_WAITING, WINDOW_MILLIS } from './request-log.ts'

const actor = { kind: 'anonymous', id: 'anonymous', name: 'anonymous', requestId: 'r' } as const
const request = {
  actor,
  action: 'authentication',
  operation: 'zones.list',
  ids: {},
  status: 403,
  errors: [9109],
}
const identified = { ...request, actor: { ...actor, kind: 'token' as const } }

async function openLog() {
  const clock = manualClock(Date.parse('2026-01-05T10:20:30Z'))
  const storage = await openSqliteStorage(IN_MEMORY, silentLog, { clock })
  const log = createRequestLog({ storage, clock, log: silentLog })
  const entries = async () => (await entriesAfter(storage, 0, 100_000)).map(({ entry }) => entry)
  return { clock, storage, log, entries }
}

test('requests of anybody are recorded up to a limit in each window, and the others are counted', async () => {
  const { clock, storage, log, entries } = await openLog()
  for (let sent = 0; sent < MAX_ANONYMOUS + 5; sent++) log.record(request)
  log.record(identified)
  await log.waitUntilIdle()
  await log.saveOmitted()
  await log.saveOmitted()
  expect(await entries()).toHaveLength(MAX_ANONYMOUS + 2)
  expect((await entries()).at(-1)).toMatchObject({ action: 'audit_log.omit', detail: '{"requests":5}' })
  clock.advance(WINDOW_MILLIS)
  log.record(request)
  await log.waitUntilIdle()
  expect(await entries()).toHaveLength(MAX_ANONYMOUS + 3)
  await storage.close()
})

test('when more wait for the database than may, the others are counted', async () => {
  const { storage, log, entries } = await openLog()
  for (let sent = 0; sent < MAX_WAITING + 200; sent++) log.record(identified)
  await log.waitUntilIdle()
  await log.saveOmitted()
  const all = await entries()
  const omitted = MAX_WAITING + 200 - (all.length - 1)
  expect(omitted).toBeGreaterThan(0)
  expect(all.at(-1)?.detail).toBe(JSON.stringify({ requests: omitted }))
  await storage.close()
})

test('a failing database does not end the program, and the requests are counted', async () => {
  const { clock, storage, entries } = await openLog()
  let isBroken = true
  const failing = {
    ...storage,
    write: ((unit) =>
      isBroken ? Promise.reject(new Error('full')) : storage.write(unit)) as typeof storage.write,
  }
  const log = createRequestLog({ storage: failing, clock, log: silentLog })
  log.record(identified)
  await log.waitUntilIdle()
  await expect(log.saveOmitted()).rejects.toThrow('full')
  isBroken = false
  await log.saveOmitted()
  expect((await entries()).map(({ detail }) => detail)).toEqual(['{"requests":1}'])
  await storage.close()
})
