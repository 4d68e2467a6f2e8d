// TCP, on the same port as UDP (RFC 7766 §5).
import { createServer } from 'node:net'
import { createConnections } from './stream-connections.ts'
import { logServerErrors, portOf, startListening } from './listener.ts'
import type { ListenEndpoint, Listener, ListenerDeps } from './listener.ts'
import { createStreamService } from './stream.ts'

/** Listens on an address; port 0 picks a free one. @throws the system's error, for example if the port is taken */
export async function listenTcp(endpoint: ListenEndpoint, deps: ListenerDeps): Promise<Listener> {
  const serve = createStreamService('tcp', deps)
  const connections = createConnections('tcp', deps)
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const refreshIdle = connections.admit(socket)
    if (refreshIdle !== undefined) serve(socket, refreshIdle)
  })
  await startListening(server, endpoint)
  logServerErrors(server, 'tcp', deps.log)
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        connections.close()
      }),
  }
}
