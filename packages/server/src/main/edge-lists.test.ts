// Named lists at an edge, over real sockets: the embedded proxy decides by them, follows their changes, and keeps them
// without the server.
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEdge, type Edge } from '@zonereeve/edge'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

describe('an edge', () => {
  let app: TestApp
  let edge: Edge
  let token = ''
  let lists = ''
  const ids = new Map<string, string>()
  const folder = mkdtempSync(join(tmpdir(), 'edge-lists-'))

  const start = () =>
    startEdge(
      edgeOptions(app, token, undefined, {
        folder,
        // Nothing listens there: a request that passes gets 502.
        origins: { origin: { host: '127.0.0.1', port: 1 }, scheme: 'http', isPrivateAllowed: true },
        now: () => Date.now(),
      }),
    )

  const get = (path: string, host = 'www.listed.example') =>
    new Promise<readonly [status: number | undefined, location: string | undefined]>((resolve, reject) => {
      const { port } = edge.proxy ?? expect.fail('the proxy is off')
      request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
        response.resume().on('end', () => resolve([response.statusCode, response.headers.location]))
      })
        .on('error', reject)
        .end()
    })
  const setItems = (name: string, items: readonly object[]) =>
    app.must('PUT', `${lists}/${ids.get(name)}/items`, items)

  beforeAll(async () => {
    app = await startTestApp()
    lists = `/accounts/${app.accountId}/rules/lists`
    const zone = await app.must('POST', '/zones', { name: 'listed.example', account: { id: app.accountId } })
    for (const [name, kind] of [
      ['clients', 'ip'],
      ['moved', 'redirect'],
    ] as const)
      ids.set(name, (await app.must('POST', lists, { name, kind })).id)
    await setItems('clients', [{ ip: '192.0.2.0/24' }])
    await setItems('moved', [
      {
        redirect: {
          source_url: 'listed.example/old',
          target_url: 'https://new.example/to',
          include_subdomains: true,
          subpath_matching: true,
          preserve_query_string: true,
        },
      },
    ])
    const phases = `rulesets/phases`
    await app.must('PUT', `/zones/${zone.id}/${phases}/http_request_firewall_custom/entrypoint`, {
      rules: [{ action: 'block', expression: 'ip.src in $clients' }],
    })
    await app.must('PUT', `/accounts/${app.accountId}/${phases}/http_request_redirect/entrypoint`, {
      rules: [
        {
          action: 'redirect',
          expression: 'http.request.full_uri in $moved',
          action_parameters: { from_list: { name: 'moved', key: 'http.request.full_uri' } },
        },
      ],
    })
    token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
    edge = await start()
    await edge.synced
  })
  afterAll(async () => {
    await edge.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('redirects by a list, with the rest of the path and the query', async () => {
    expect(await get('/old/a?b=1')).toEqual([301, 'https://new.example/to/a?b=1'])
    expect(await get('/older')).toEqual([502, undefined])
  })

  test('follows changes of 10,000 items', async () => {
    const others = Array.from({ length: 9_999 }, (_, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }))
    await setItems('clients', [...others, { ip: '127.0.0.0/8' }])
    await vi.waitFor(async () => expect((await get('/'))[0]).toBe(403), { timeout: 60_000, interval: 50 })
    await setItems('clients', others)
    await vi.waitFor(async () => expect((await get('/'))[0]).toBe(502), { timeout: 60_000, interval: 50 })
  })

  test('keeps the lists on disk: a start without the server decides by them', async () => {
    await edge.close()
    const { token: valid } = { token }
    token = 'a token that the server does not know, so that it answers nothing'
    edge = await start()
    expect((await get('/old'))[1]).toBe('https://new.example/to')
    token = valid
  })
})
