// A proxy between a primary and us that corrupts what the primary sends over TCP.
import { connect, createServer, type Socket } from 'node:net'

export interface Meddler {
  readonly port: number
  /** Address of the primary. */
  readonly lead: (to: number) => void
  /** Forwards everything unchanged. */
  readonly pass: () => void
  /** Ends each connection after this number of octets from the primary. */
  readonly cutAfter: (octets: number) => void
  /** Replaces a string by another of the same length, only in chunks longer than a single answer. */
  readonly change: (text: string, into: string) => void
  readonly close: () => Promise<void>
}

/** Longer than the answer to an SOA query, which must pass unchanged. */
const LONG_OCTETS = 250

export async function startMeddler(): Promise<Meddler> {
  const sockets = new Set<Socket>()
  let primaryPort = 0
  let spoil: (chunk: Buffer, seenOctets: number) => Buffer | undefined = (chunk) => chunk
  const server = createServer((client) => {
    const primary = connect(primaryPort, '127.0.0.1')
    let seenOctets = 0
    for (const socket of [client, primary]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy()) // the other end closed the connection
    }
    client.pipe(primary)
    primary.on('data', (chunk: Buffer) => {
      const sent = spoil(chunk, seenOctets)
      seenOctets += chunk.length
      if (sent === undefined) client.end()
      else if (!client.writableEnded) client.write(sent)
    })
    primary.on('close', () => client.end())
    client.on('close', () => primary.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    lead: (to) => void (primaryPort = to),
    pass: () => void (spoil = (chunk) => chunk),
    cutAfter(octets) {
      spoil = (chunk, seen) => (seen + chunk.length > octets ? undefined : chunk)
    },
    change(text, into) {
      spoil = (chunk) =>
        chunk.length < LONG_OCTETS
          ? chunk
          : Buffer.from(chunk.toString('latin1').replace(text, into), 'latin1')
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
