// What waits for the server: watched pages, each once, while it is away and when it comes back.
import { describe, expect, test } from 'vitest'
import { createActivity } from './activity.ts'
import type { ActivityEvent, WaitingEvent } from './activity-event.ts'
import type { Activity } from './edge-server.ts'
import type { SeenPage } from './seen-pages.ts'

const page = (url: string, value: string): SeenPage => ({
  url,
  headers: [{ name: 'x-frame-options', value }],
})
const shown = ({ pages }: Activity): readonly string[] =>
  pages.map(({ url, headers }) => `${url} ${headers[0]?.value}`)

function activityTo(answer: () => 'stored' | 'refused' | 'away') {
  const sent: (readonly string[])[] = []
  const activity = createActivity({
    server: {
      sendActivity: (_zoneId, reported) => {
        sent.push(shown(reported))
        const answered = answer()
        return answered === 'away' ? Promise.reject(new Error('away')) : Promise.resolve(answered)
      },
    },
    log: { info: () => undefined, warn: () => undefined },
    now: () => 0,
  })
  return { activity, sent }
}

test('a page that changed while it waits is sent as it was last', async () => {
  const { activity, sent } = activityTo(() => 'stored')
  activity.notePage('zone', page('/a', '1'))
  activity.notePage('zone', page('/b', '1'))
  activity.notePage('zone', page('/a', '2'))
  await activity.close()
  expect(sent).toEqual([['/a 2', '/b 1']])
})

test('ten in a request', async () => {
  const { activity, sent } = activityTo(() => 'stored')
  for (let at = 0; at < 25; at += 1) activity.notePage('zone', page(`/${at}`, ''))
  await activity.close()
  expect(sent.map((pages) => pages.length)).toEqual([10, 10, 5])
})

test('what cannot be delivered waits; what came meanwhile replaces it', async () => {
  let isAway = true
  const { activity, sent } = activityTo(() => (isAway ? 'away' : 'stored'))
  activity.notePage('zone', page('/a', '1'))
  activity.notePage('zone', page('/b', '1'))
  const failing = activity.flush()
  activity.notePage('zone', page('/a', '2'))
  await failing
  isAway = false
  await activity.close()
  expect(sent).toEqual([
    ['/a 1', '/b 1'],
    ['/a 2', '/b 1'],
  ])
})

test('a flush during a delivery delivers what came after it began', async () => {
  const { activity, sent } = activityTo(() => 'stored')
  activity.notePage('zone', page('/a', '1'))
  const first = activity.flush()
  activity.notePage('zone', page('/b', '1'))
  await activity.flush()
  expect(sent).toEqual([['/a 1'], ['/b 1']])
  await first
  await activity.close()
})

test('what the server refuses is not sent again', async () => {
  const { activity, sent } = activityTo(() => 'refused')
  activity.notePage('zone', page('/a', '1'))
  await activity.flush()
  await activity.close()
  expect(sent).toEqual([['/a 1']])
})

describe('an event waits for the response', () => {
  const startWaiting = () => {
    const statuses: number[] = []
    let nowMillis = 0
    const activity = createActivity({
      server: {
        sendActivity: (_zoneId, { events }) => {
          statuses.push(...events.map(({ originStatus }) => originStatus ?? 0))
          return Promise.resolve('stored')
        },
      },
      log: { info: () => undefined, warn: () => undefined },
      now: () => nowMillis,
    })
    const event = (originStatus: number, octets = 0): WaitingEvent => ({
      zoneId: 'zone',
      octets,
      eventNow: () => ({ originStatus }) as ActivityEvent,
    })
    const wait = async (millis: number): Promise<readonly number[]> => {
      nowMillis += millis
      await activity.flush()
      return statuses
    }
    return { activity, event, wait, statuses }
  }

  test('and is sent once with it', async () => {
    const { activity, event, wait } = startWaiting()
    const finish = activity.recordOnceAnswered(event(200))
    expect(await wait(4_000)).toEqual([])
    finish()
    finish()
    expect(await wait(0)).toEqual([200])
    expect(await wait(9_000)).toEqual([200])
    await activity.close()
  })

  test('but no longer than five seconds', async () => {
    const { activity, event, wait } = startWaiting()
    const finish = activity.recordOnceAnswered(event(1))
    await wait(3_000)
    activity.recordOnceAnswered(event(2))
    expect(await wait(2_000)).toEqual([1])
    finish()
    expect(await wait(3_000)).toEqual([1, 2])
    await activity.close()
  })

  test('and not beyond the end', async () => {
    const { activity, event, statuses } = startWaiting()
    activity.recordOnceAnswered(event(1))
    await activity.close()
    expect(statuses).toEqual([1])
  })

  test('and no more than ten thousand do', async () => {
    const { activity, event, wait } = startWaiting()
    for (let at = 0; at < 10_003; at += 1) activity.recordOnceAnswered(event(at))
    expect(await wait(0)).toEqual([0, 1, 2])
    await activity.close()
  })

  test('and no more than 64 MiB of bodies', async () => {
    const { activity, event, wait } = startWaiting()
    for (let at = 1; at < 7; at += 1) activity.recordOnceAnswered(event(at, 16_777_216))
    expect(await wait(0)).toEqual([1, 2])
    await activity.close()
  })
})
