// The log over a real Redis that is killed and started again.
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { openReportLog } from './report-log.ts'
import { startRedis } from './testing/redis.ts'

const PATIENT = { timeout: 60_000 }

describeWith('redis', 'the log of reports', () => {
  async function open(isKept = true) {
    const redis = await startRedis({ isKept })
    onTestFinished(redis.stop)
    const events: string[] = []
    const log = openReportLog({
      url: redis.url,
      noteFailure: () => void events.push('failed'),
      noteConnected: () => void events.push('connected'),
    })
    onTestFinished(log.close)
    const append = (text: string) =>
      log.append(text).then(
        () => true,
        () => false,
      )
    await expect.poll(() => append('first'), PATIENT).toBe(true)
    return { redis, log, append, events }
  }

  const stringsOf = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text)

  test('entries are read in order, after a position, until they are forgotten', async () => {
    const { log } = await open()
    for (const text of ['second', 'third']) await log.append(text)
    const all = await log.read(undefined)
    expect(stringsOf(all)).toEqual(['first', 'second', 'third'])
    const [first, second, third] = all.map(({ position }) => position)
    expect(stringsOf(await log.read(first))).toEqual(['second', 'third'])
    await log.forget(second ?? '')
    expect(stringsOf(await log.read(undefined))).toEqual(['third'])
    await log.forget(third ?? '')
    expect([await log.read(undefined), await log.read(third)]).toEqual([[], []])
    await log.append('fourth')
    expect(stringsOf(await log.read(third))).toEqual(['fourth'])
  })

  test('what was appended is there after a kill; nothing is appended while it is away', async () => {
    const { redis, log, append } = await open()
    await redis.kill()
    expect(await append('away')).toBe(false)
    await expect(log.read(undefined)).rejects.toThrow(/offline|closed/i)
    await redis.start()
    await expect.poll(() => append('back'), PATIENT).toBe(true)
    expect(stringsOf(await log.read(undefined))).toEqual(['first', 'back'])
  })

  test(
    'a server that hangs is not waited for without end, also when the log closes; later it is used again',
    async () => {
      const { redis, log, append, events } = await open()
      redis.freeze()
      expect([await append('hanging'), await log.read(undefined).catch(() => 'refused')]).toEqual([
        false,
        'refused',
      ])
      expect(events.slice(0, 2)).toEqual(['connected', 'failed'])
      redis.resume()
      await expect.poll(() => append('back'), PATIENT).toBe(true)
      redis.freeze()
      const waiting = append('late')
      await log.close()
      expect(await waiting).toBe(false)
    },
    PATIENT.timeout,
  )

  test('a log that was lost is read from its start, also if its positions are lower', async () => {
    const { redis, log, append } = await open(false)
    const later = '9999999999999-7'
    expect(stringsOf(await log.read(later))).toEqual(['first'])
    await redis.kill()
    await redis.start()
    await expect.poll(() => append('new'), PATIENT).toBe(true)
    expect(stringsOf(await log.read(later))).toEqual(['new'])
  })
})
