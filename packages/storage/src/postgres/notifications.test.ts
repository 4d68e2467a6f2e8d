// Notifications after commits, when the database refuses them for a time or for good.
import pg from 'pg'
import { silentLog } from '@zonereeve/platform'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { NOT_PERMITTED_MILLIS } from './listen.ts'
import { createNotifications } from './notifications.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Longer than the pause between notifications. */
const SOON_MILLIS = 100

/** How many were sent to a database that answers with this SQLSTATE, and then with success. */
function start(code: string) {
  let sent = 0
  const notify = async () => {
    sent += 1
    if (sent === 1) throw Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })
  }
  const notifications = createNotifications({
    lease: { notify },
    log: silentLog,
    listen: () => ({ close: async () => {} }),
  })
  onTestFinished(notifications.close)
  return {
    /** The number of all that were sent after this commit, some time later. */
    async commit(laterMillis: number): Promise<number> {
      notifications.send()
      await vi.advanceTimersByTimeAsync(laterMillis)
      return sent
    },
  }
}

test('one that is not permitted is followed by others after a pause', async () => {
  const { commit } = start('42501')
  expect(await commit(SOON_MILLIS)).toBe(1)
  expect(await commit(NOT_PERMITTED_MILLIS)).toBe(1)
  expect(await commit(SOON_MILLIS)).toBe(2)
  expect(await commit(SOON_MILLIS)).toBe(3)
})

test.each(['0A000', '42601', '42883'])(
  'one that the database does not know (%s) is the last',
  async (code) => {
    const { commit } = start(code)
    expect(await commit(SOON_MILLIS)).toBe(1)
    expect(await commit(NOT_PERMITTED_MILLIS)).toBe(1)
    expect(await commit(SOON_MILLIS)).toBe(1)
  },
)

test('one that is lost with its connection is followed by others at once', async () => {
  const { commit } = start('57P01')
  expect(await commit(SOON_MILLIS)).toBe(1)
  expect(await commit(SOON_MILLIS)).toBe(2)
})
