// A proxy in front of a PostgreSQL server that loses the connection around a COMMIT, as a network does, and changes what
// clients ask.
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** `before` the server gets the COMMIT, or `after` it has answered, so that the client does not know. */
export type Cut = 'before' | 'after'

export interface CuttingProxy {
  /** The URL of the same database through the proxy. */
  readonly url: string
  /** The next COMMIT loses its connection. */
  cutNext(cut: Cut): void
  /** From now on, the server gets these octets for those of a client, as if it was another one. */
  replace(from: string, to: string): void
  /** Whether connections are accepted; without, existing ones end. */
  setReachable(isReachable: boolean): void
  /** Number of connections that the server or a client has ended. */
  ended(): number
  close(): Promise<void>
}

/** @param url of a database on a socket in a folder. */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  let pending: Cut | undefined
  let isReachable = true
  let ended = 0
  let replaced: { readonly from: string; readonly to: string } | undefined
  const sockets = new Set<Socket>()
  const target = new URL(url)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.5432`
  const server = createServer((client) => {
    client.on('error', () => {}) // it closes, too
    if (!isReachable) return void client.destroy()
    const upstream = connect(path)
    let isCut = false
    upstream.on('close', () => (ended += 1))
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (chunk: Buffer) => {
      if (pending !== undefined && chunk.includes('COMMIT\0')) {
        isCut = true
        if (pending === 'before') {
          pending = undefined
          return end()
        }
        pending = undefined
      }
      upstream.write(changed(chunk))
    })
    upstream.on('data', (chunk: Buffer) => {
      if (!isCut) client.write(chunk)
      // Replies to statements that were sent with it are lost, too.
      else if (chunk.includes('COMMIT\0')) end()
    })
  })
  const changed = (chunk: Buffer): Buffer =>
    replaced === undefined
      ? chunk
      : Buffer.from(chunk.toString('latin1').replaceAll(replaced.from, replaced.to), 'latin1')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // of a listening server
  target.searchParams.delete('host')
  target.host = `127.0.0.1:${port}`
  return {
    url: target.href,
    cutNext: (cut) => void (pending = cut),
    replace(from, to) {
      // Messages begin with their length.
      if (from.length !== to.length) throw new Error('not as long')
      replaced = { from, to }
    },
    setReachable(to) {
      isReachable = to
      if (!to) for (const socket of sockets) socket.destroy()
    },
    ended: () => ended,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
