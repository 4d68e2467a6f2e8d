// Browser reports by way of a log, as processes: whichever side is killed, reports that were answered as stored are stored,
// each once.
import { expect, onTestFinished, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '@zonereeve/report-log/testing/redis.ts'
import { START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { createHttpClient } from '../testing/http-client.ts'
import { createZone, type Node, startNode, TOKEN } from '../testing/start-node.ts'

const PATIENT = { timeout: 5 * START_MILLIS }
const PAUSE_MILLIS = 50
const ZONE = 'example.com'

describeWith(['postgresql', 'redis'], 'the log of reports', () => {
  test(
    'nodes and Redis are killed while browsers send reports: what was answered as stored is stored, once',
    async () => {
      const server = await startPostgres(POSTGRESQL)
      onTestFinished(() => server.stop())
      const redis = await startRedis({ isKept: true })
      onTestFinished(redis.stop)
      const database = await server.createDatabase()
      const environment = {
        ZONEREEVE_REPORT_LOG: redis.url,
        ZONEREEVE_REPORT_RATE: 'off',
        ZONEREEVE_REPORT_BUDGET: 'off',
      }
      const start = () => startNode(database, { environment })
      const nodes: [Node, Node] = [await start(), await start()]
      const zone = await createZone(nodes[0], ZONE)
      expect((await nodes[0].call('PUT', `/zones/${zone}/page_shield`, { enabled: true })).status).toBe(200)
      const client = createHttpClient()
      onTestFinished(() => client.close())
      const { text } = await client.send(nodes[0].port, {
        method: 'GET',
        path: `/client/v4/zonereeve/zones/${zone}/page_shield/headers?url=https%3A%2F%2F${ZONE}%2F`,
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      const [, path = ''] = new RegExp(`report-uri https://${ZONE}(/[^; "\\\\]+)`).exec(text) ?? []
      expect(path).not.toBe('')

      const answered: string[] = []
      let isOver = false
      let number = 0
      const send = async (at: 0 | 1): Promise<void> => {
        while (!isOver) {
          const url = `https://cdn.example.net/${(number += 1)}.js`
          const reply = await client.send(nodes[at].port, reportAbout(url, path)).catch(() => undefined)
          if (reply?.status === 204) answered.push(url)
          else if (reply !== undefined) expect(reply.status).toBe(503)
          await sleep(PAUSE_MILLIS)
        }
      }
      const senders = [send(0), send(0), send(1), send(1)]
      const more = async () => {
        const goal = answered.length + 20
        const isThere = async () => {
          await expect.poll(() => answered.length, PATIENT).toBeGreaterThan(goal)
        }
        await Promise.race([isThere(), Promise.all(senders)])
      }
      await more()
      await redis.kill()
      const before = answered.length
      await sleep(10 * PAUSE_MILLIS)
      expect(answered.length - before).toBeLessThanOrEqual(senders.length) // whose replies were on their way
      await redis.start()
      await more()
      nodes[1].child.kill('SIGKILL')
      nodes[1] = await start()
      await more()
      nodes[0].child.kill('SIGKILL')
      nodes[0] = await start()
      await more()
      isOver = true
      await Promise.all(senders)

      const name = new URL(database).pathname.slice(1)
      const stored = async () =>
        (await server.executeIn(
          name,
          'SELECT url, page_views AS views FROM page_shield_resources',
        )) as readonly {
          url: string
          views: string
        }[] // as selected
      const missing = async () => {
        const urls = new Set((await stored()).map(({ url }) => url))
        return answered.filter((url) => !urls.has(url))
      }
      await expect.poll(missing, PATIENT).toEqual([])
      // Each page was viewed once: a batch that is stored twice would count twice.
      expect((await stored()).filter(({ views }) => Number(views) !== 1)).toEqual([])
    },
    PATIENT.timeout,
  )
})

const reportAbout = (url: string, path: string) => ({
  method: 'POST',
  path,
  headers: {
    host: ZONE,
    'content-type': 'application/csp-report',
    'user-agent': 'Browser',
    origin: `https://${ZONE}`,
  },
  body: JSON.stringify({
    'csp-report': {
      'document-uri': `https://${ZONE}/`,
      'violated-directive': 'script-src-elem',
      'effective-directive': 'script-src-elem',
      'original-policy': '',
      'blocked-uri': url,
      disposition: 'report',
    },
  }),
})
