// The demo's edge: the embedded proxy in front of a page of its own, with the rules of the demo's zones.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEdge, type Edge } from '@zonereeve/edge'

export interface DemoEdge {
  readonly url: string
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const PAGE = '<!doctype html><title>Demo</title><h1>The page behind the edge</h1>\n'

/** @param server the demo's own API, and a token for it. */
export async function startDemoEdge(server: Parameters<typeof startEdge>[0]['server']): Promise<DemoEdge> {
  const origin = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
  })
  const port = await listen(origin)
  const log = { info: () => undefined, warn: () => undefined } // the guide is the main output
  const edge = await startEdge({
    server,
    folder: undefined,
    undecided: { mode: 'closed', phases: new Map() },
    decisions: undefined,
    appSecKey: undefined,
    proxy: { host: LOOPBACK, port: 0 },
    origins: { origin: { host: LOOPBACK, port }, scheme: 'http', isPrivateAllowed: false },
    log,
  })
  await edge.synced
  return { url: `http://${LOOPBACK}:${portOf(edge)}`, close }

  async function close(): Promise<void> {
    await edge.close()
    origin.closeAllConnections()
    origin.close()
  }
}

function portOf({ proxy }: Edge): number {
  if (proxy === undefined) throw new Error('the demo has no proxy')
  return proxy.port
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, LOOPBACK, resolve)
  })
  return (server.address() as AddressInfo).port // it listens on a port
}
