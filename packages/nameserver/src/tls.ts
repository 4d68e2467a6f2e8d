// DNS over TLS (RFC 7858): as over TCP, encrypted.
import { createServer, type Server } from 'node:tls'
import type { Certificate } from './certificate.ts'
import { logServerErrors, portOf, startListening } from './listener.ts'
import type { ListenEndpoint, Listener, ListenerDeps } from './listener.ts'
import { admitAll, createConnections, type Connections } from './stream-connections.ts'
import { createStreamService } from './stream.ts'

/** Milliseconds that a client has for the handshake. */
const HANDSHAKE_MS = 5000

export interface EncryptedListener extends Listener {
  /** Uses this certificate for new connections. @throws if it does not match its key */
  useCertificate(certificate: Certificate): void
}

/**
 * Listens on an address; port 0 picks a free one. @throws the system's error, or if certificate and key do not match
 */
export async function listenTls(
  endpoint: ListenEndpoint,
  certificate: Certificate,
  deps: ListenerDeps,
): Promise<EncryptedListener> {
  const connections = createConnections('tls', deps)
  const serve = createStreamService('tls', deps)
  const server = createServer({
    ...certificate,
    ...TLS_OPTIONS,
    ALPNProtocols: ['dot'],
    handshakeTimeout: HANDSHAKE_MS,
    allowHalfOpen: true,
    noDelay: true,
  })
  // Counted before the handshake, which costs the most.
  const refreshIdleOf = admitAll(server, connections)
  server.on('secureConnection', (socket) => serve(socket, refreshIdleOf(socket)))
  // A failed handshake affects no other connection.
  server.on('tlsClientError', (error) => deps.log.debug({ err: error }, 'dns tls handshake failed'))
  await startListening(server, endpoint)
  logServerErrors(server, 'tls', deps.log)
  return asListener(server, connections)
}

/** Makes a Listener of a listening server; closing it ends its connections too. */
export function asListener(server: Server, connections: Connections): EncryptedListener {
  return {
    port: portOf(server),
    useCertificate: (next) => server.setSecureContext({ ...next, ...TLS_OPTIONS }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        connections.close()
      }),
  }
}

/** Older versions must not be used (RFC 8996). */
export const TLS_OPTIONS = { minVersion: 'TLSv1.2' } as const
