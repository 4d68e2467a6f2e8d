// Stands between a primary and us, and spoils what the primary sends over TCP.
import { connect, createServer, type Socket } from 'node:net'

export interface Meddler {
  readonly port: number
  /** Where the primary is. */
  readonly lead: (to: number) => void
  /** Hands everything on as it is. */
  readonly pass: () => void
  /** Ends each connection after so many octets of the primary's. */
  readonly cutAfter: (octets: number) => void
  /** Puts one text into the place of another of the same length, in what is longer than an answer to a question. */
  readonly change: (text: string, into: string) => void
  readonly close: () => Promise<void>
}

/** Longer than the answer to a question for the SOA, which is to pass. */
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
      socket.on('error', () => socket.destroy()) // the other end has had enough
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
