// What waits for the server: watched pages, each once, while it is away and when it comes back.
import { expect, test } from 'vitest'
import { createActivity } from './activity.ts'
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
