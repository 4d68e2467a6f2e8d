// Feeds over a real connection: fetched again only if changed, and never from our own network.
import { createAddressGuard, createSafeFetch, systemHostAddresses } from '@zonereeve/safe-fetch'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../testing/app.ts'
import { createFeedFetch } from './feed-fetch.ts'
import { createConfiguredFetch } from '../../../main/outgoing.ts'

interface ShownFeed {
  readonly id: string
  readonly status: Record<string, unknown>
}

describe('feeds from a server', () => {
  let server: Server
  let port: number
  let handler: (request: IncomingMessage, response: ServerResponse) => void
  const asked: (string | undefined)[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.headers['if-none-match'])
      handler(request, response)
    })
    port = await new Promise((done) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        done(address === null || typeof address === 'string' ? 0 : address.port)
      })
    })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const own = () =>
    createFeedFetch(
      createSafeFetch({
        mayConnect: createAddressGuard(['127.0.0.1']),
        hostAddresses: systemHostAddresses,
        ports: 'any',
        userAgent: 'tests',
      }),
    )

  async function imported(fetchFeed: Parameters<typeof startTestApp>[0]) {
    const app = await startTestApp(fetchFeed)
    const url = `http://127.0.0.1:${port}/feed.txt`
    const body = { name: 'own list', format: 'plain', categories: ['Malware'], url }
    const { id } = await app.must<ShownFeed>('POST', '/zonereeve/threat_feeds', body)
    await app.workOnFeeds()
    const show = async () => (await app.must<ShownFeed>('GET', `/zonereeve/threat_feeds/${id}`)).status
    return { app, show, refresh: () => app.must('POST', `/zonereeve/threat_feeds/${id}/refresh`) }
  }

  test('a gzip feed over a redirect is fetched once, then not modified', async () => {
    asked.length = 0
    handler = (request, response) => {
      if (request.url === '/feed.txt') return response.writeHead(302, { location: '/feed.gz' }).end()
      if (request.headers['if-none-match'] === '"one"') return response.writeHead(304).end()
      return response.writeHead(200, { etag: '"one"' }).end(gzipSync('evil.example\n'.repeat(100_000)))
    }
    const { app, show, refresh } = await imported({ fetchFeed: own() })
    expect(await show()).toMatchObject({ state: 'imported', entries: 100_000, problem: null })
    app.clock.advance(7 * 3_600_000)
    await app.workOnFeeds()
    // The redirecting URL never sent validators.
    expect(asked).toEqual([undefined, undefined, undefined, '"one"'])
    await refresh()
    await app.workOnFeeds()
    expect(asked).toEqual([undefined, undefined, undefined, '"one"', undefined, undefined])
    await app.close()
  })

  test.each<[string, typeof handler, RegExp]>([
    [
      'not there',
      (_request, response) => response.writeHead(404).end('evil.example'),
      /^status: status 404$/,
    ],
    [
      'broken off',
      (_request, response) =>
        void response
          .writeHead(200, { 'content-length': 99 })
          .write('evil.example\n', () => response.destroy()),
      /^network: /,
    ],
    [
      'too large',
      (_request, response) => response.writeHead(200, { 'content-length': 2 ** 40 }).end(),
      /^size: /,
    ],
    [
      'another coding',
      (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('evil.example'),
      /^coding: /,
    ],
    ['an archive', (_request, response) => response.end('PK\u0003\u0004'), /^it is a zip archive/],
    [
      'elsewhere',
      (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      /^address: /,
    ],
  ])('%s: no import', async (_, answer, problem) => {
    handler = answer
    const { app, show } = await imported({ fetchFeed: own() })
    expect(await show()).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(problem),
      entries: 0,
    })
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
    await app.close()
  })

  test('the program does not fetch from its own network', async () => {
    asked.length = 0
    const fallback = { fetchNetworks: [], fetchPorts: 'any', resolver: 'system' } as const
    const { app, show } = await imported({
      fetchFeed: createFeedFetch(createConfiguredFetch(fallback, 'threat feeds')),
    })
    const problem = expect.stringMatching(/^address: /)
    expect(await show()).toMatchObject({ state: 'failed', problem, entries: 0 })
    expect(asked).toEqual([])
    await app.close()
  })

  test('a stop aborts an unfinished download', async () => {
    const stopping = new AbortController()
    handler = (_request, response) => {
      response.writeHead(200).write('evil.example\n')
      setImmediate(() => stopping.abort())
    }
    const app = await startTestApp({ fetchFeed: own() })
    const url = `http://127.0.0.1:${port}/feed.txt`
    const body = { name: 'own list', format: 'plain', categories: ['Malware'], url }
    const { id } = await app.must<ShownFeed>('POST', '/zonereeve/threat_feeds', body)
    await app.workOnFeeds(stopping.signal)
    const { status } = await app.must<ShownFeed>('GET', `/zonereeve/threat_feeds/${id}`)
    expect(status).toMatchObject({ state: 'waiting', problem: null })
    await app.close()
  })
})
