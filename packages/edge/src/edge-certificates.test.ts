// What an edge does with challenges of an earlier program, by the server's reply.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepEdgeCertificates } from './edge-certificates.ts'
import { createEdgeServer } from './edge-server.ts'

const CHALLENGE = { name: 'a.example', value: 'v'.repeat(43) }
const PATH = `/v4/zonereeve/zones/1/acme_challenges/${CHALLENGE.name}/${CHALLENGE.value}`

test.each([
  ['removed', 200, [], 0],
  ['the token may not', 403, [], 1],
  ['no such zone', 404, [], 1],
  ['not now', 500, [CHALLENGE], 1],
])('a challenge that was left: %s', async (_, status, left, warnings) => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-certificates-'))
  const asked: string[] = []
  const http = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(status).end('{"result":{}}')
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // it listens on a port
  const server = createEdgeServer({ baseUrl: `http://127.0.0.1:${port}/v4`, token: 't' })
  const file = join(folder, 'challenges.json')
  writeFileSync(file, JSON.stringify([CHALLENGE]))
  const warned: string[] = []
  try {
    const keeper = keepEdgeCertificates({
      folder,
      authority: { directory: 'https://ca.example', email: undefined, authorityCertificate: undefined },
      names: undefined,
      server,
      // No zone has a certificate to order.
      zones: { byId: new Map(), zoneOf: () => ({ id: '1', name: 'a.example' }) as never }, // all that is read
      log: { info: () => undefined, warn: (_fields, event) => void warned.push(event) },
      onIssued: () => undefined,
    })
    await keeper.check()
    await keeper.check()
    expect(asked).toEqual([`DELETE ${PATH}`])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(left)
    expect(warned).toEqual(Array.from({ length: warnings }, () => 'challenge not removed'))
    expect(existsSync(`${file}.new`)).toBe(false)
  } finally {
    await server.close()
    http.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
