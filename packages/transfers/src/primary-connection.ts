// The connection to a primary: TCP, or TLS with a verified certificate (RFC 9103). Nothing is sent before the
// certificate is verified.
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { TransferFault } from '@zonereeve/nameserver'

/** How transfers from a peer are encrypted, and its certificate verified. */
export interface PrimaryTls {
  readonly port: number
  /** The name of its certificate, issued by a trusted authority; null: only the pins count. */
  readonly serverName: string | null
  /** SHA-256 in base64 of public keys; its certificate must have one of them. Empty: it may have any key. */
  readonly pins: readonly string[]
}

export interface PrimaryAddress {
  readonly address: string | undefined
  readonly port: number
  /** Undefined: not encrypted. */
  readonly tls?: PrimaryTls | undefined
}

export interface PrimaryConnection {
  readonly socket: Socket
  /** Resolves when messages may be sent. @throws TransferFault, or the system's error */
  readonly verified: Promise<void>
}

/** @param authorities certificates in PEM that are trusted instead of those of Node. */
export function connectToPrimary(
  { address: host, port, tls }: PrimaryAddress,
  idleMillis: number,
  authorities?: string,
): PrimaryConnection {
  if (tls === undefined) return { socket: connect({ host, port }), verified: Promise.resolve() }
  const { serverName, pins } = tls
  const socket = connectTls({
    host,
    port: tls.port,
    ...(serverName !== null && { servername: serverName }),
    ...(authorities !== undefined && { ca: authorities }),
    rejectUnauthorized: serverName !== null,
    ALPNProtocols: ['dot'],
    minVersion: 'TLSv1.3', // RFC 9103 §9.1
  })
  socket.setTimeout(idleMillis, () => socket.destroy(new TransferFault('the primary is silent')))
  const verified = new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => reject(describe(error)))
    socket.once('secureConnect', () => {
      const pin = pinOf(socket)
      if (pins.length === 0 || pins.includes(pin)) return resolve()
      socket.destroy(new TransferFault(`the key of the primary's certificate is ${pin}, which is not pinned`))
    })
  })
  verified.catch(() => {}) // also thrown where it is awaited, unless the conversation is over
  return { socket, verified }
}

function pinOf(socket: TLSSocket): string {
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  return key === undefined ? 'missing' : createHash('sha256').update(key).digest('base64')
}

/** Errors of the certificate and of TLS have codes of their own. */
function describe(error: Error): Error {
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof TransferFault || /^E[A-Z]+$/.test(code)) return error
  return new TransferFault(`TLS with the primary failed: ${code === '' ? error.message : code}`)
}
