// Batches by way of a log: what is answered when the log fails, and what of the log is stored when something else does.
import { expect, onTestFinished, test } from 'vitest'
import { DomainError, manualClock, silentLog } from '@zonereeve/platform'
import type { LogEntry, ReportLog } from '@zonereeve/report-log'
import { IN_MEMORY, openSqliteStorage } from '@zonereeve/storage'
import { reportingAddress } from '../page-shield/index.ts'
import { createCollecting } from './collecting.ts'
import { findPosition } from './report-log-position.store.ts'
import { createStoringFromLog } from './storing-from-log.ts'

const ZONE_ID = 'a'.repeat(32)
const NEVER = new AbortController().signal

/** A log in memory, with faults. */
function openLog(first: readonly string[] = []) {
  let entries: readonly LogEntry[] = first.map((text, at) => ({ position: `${at + 1}-0`, text }))
  const faults = { append: false, forget: false }
  const log: ReportLog = {
    async append(text) {
      if (faults.append) throw new Error('the log does not answer')
      entries = [...entries, { position: `${entries.length + 1}-0`, text }]
    },
    read: async (after) => entries.filter(({ position }) => after === undefined || position > after),
    async forget(upTo) {
      if (faults.forget) throw new Error('the log does not answer')
      entries = entries.filter(({ position }) => position > upTo)
    },
    close: async () => {},
  }
  return { log, faults, entries: () => entries.map(({ text }) => text) }
}

async function openStoring(entries: readonly string[]) {
  const storage = await openSqliteStorage(IN_MEMORY, silentLog)
  onTestFinished(() => storage.close())
  const reportLog = openLog(entries)
  const stored: unknown[] = []
  const failures: unknown[] = []
  const lost: number[] = []
  const storing = createStoringFromLog({
    reportLog: reportLog.log,
    storage,
    log: silentLog,
    noteLost: (reports) => void lost.push(reports),
    async store(_, batch) {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      stored.push(batch)
    },
  })
  const store = () => storing(NEVER).then(() => 'done', String)
  const position = () => findPosition(storage)
  return { ...reportLog, stored, failures, lost, store, position }
}

test('entries are stored in order, and forgotten', async () => {
  const { stored, store, entries, position } = await openStoring(['1', '2', '3'])
  expect([await store(), stored, entries(), await position()]).toEqual(['done', [1, 2, 3], [], '3-0'])
})

test('what is stored is not stored again because the log did not forget it', async () => {
  const { stored, store, faults, entries } = await openStoring(['1', '2'])
  faults.forget = true
  expect(await store()).toContain('does not answer')
  faults.forget = false
  expect([await store(), stored, entries()]).toEqual(['done', [1, 2], ['1', '2']])
})

test('an entry waits for the database, and is passed over if it can never be stored', async () => {
  const { stored, store, failures, entries, position } = await openStoring(['1', '2', 'broken {', '3'])
  const away = new DomainError({ reason: 'storage.unavailable', values: { problem: 'away' } })
  failures.push(away)
  expect([await store(), stored, await position()]).toEqual([expect.any(String), [], undefined])
  failures.push(new TypeError('not a batch'))
  expect([await store(), stored, entries(), await position()]).toEqual(['done', [2, 3], [], '4-0'])
})

test.each(['storage.unavailable', 'storage.full', 'storage.unwritable', 'storage.damaged'] as const)(
  'an entry waits while the whole database has the problem: %s',
  async (reason) => {
    const { stored, store, failures, lost, position } = await openStoring(['1', '2'])
    failures.push(new DomainError({ reason, values: { problem: 'away', remedy: '' } }))
    await store()
    expect([stored, lost, await position()]).toEqual([[], [], undefined])
  },
)

test('a damaged row of one zone stops only the entry that names it, whose reports are counted', async () => {
  const batch = { detections: [{}, {}], violations: [{}], code: [], cookies: [] }
  const { stored, store, failures, lost, entries } = await openStoring([JSON.stringify(batch), '2'])
  failures.push(
    new DomainError({ reason: 'storage.unreadable_row', values: { table: 'zones', id: ZONE_ID } }),
  )
  expect([await store(), stored, lost, entries()]).toEqual(['done', [2], [3], []])
})

test('reports are answered when the log has them; if it fails, their repetition is no duplicate', async () => {
  const storage = await openSqliteStorage(IN_MEMORY, silentLog)
  onTestFinished(() => storage.close())
  const { log, faults, entries } = openLog()
  const key = new Uint8Array(32)
  const clock = manualClock(Date.parse('2026-01-05T10:20:30Z'))
  const zone = { name: 'example.com', isEnabled: true, withConnectionPaths: false, activePageViews: 2 }
  const collector = createCollecting({
    storage,
    clock,
    log: silentLog,
    reportingKey: key,
    findZone: async () => ({ ...zone, alsoReport: [], hasBeacon: false }),
    rate: undefined,
    reportBudget: undefined,
    reportLog: log,
    observe: () => {},
    noteEvicted: () => {},
    countRecorded: () => {},
  })
  const address = reportingAddress(key, { zoneId: ZONE_ID, policyId: null, oneIn: 1 }, clock.now())
  const report = {
    'document-uri': 'https://example.com/',
    'blocked-uri': 'https://cdn.example.net/a.js',
    'effective-directive': 'script-src-elem',
  }
  const send = async () => {
    const request = {
      query: address.slice(address.indexOf('?') + 1),
      body: JSON.stringify({ 'csp-report': report }),
    }
    await collector.take({ ...request, address: '192.0.2.1', userAgent: '' })
    const storing = collector.awaitStored()
    await collector.flush()
    return storing
  }
  faults.append = true
  expect([await send(), entries()]).toEqual([false, []])
  faults.append = false
  expect([await send(), entries().length]).toEqual([true, 1])
  expect([await send(), entries().length]).toEqual([undefined, 1])
  expect(JSON.parse(entries()[0] ?? '').detections).toMatchObject([
    { url: 'https://cdn.example.net/a.js', pageViews: 1 },
  ])
})
