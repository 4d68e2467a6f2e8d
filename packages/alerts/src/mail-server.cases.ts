// A real SMTP server on this machine, for tests alone. Its certificate signs itself.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export const MAIL_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUS9osWg3RWGoXdmHjS7xH32oDDn4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbWFpbC50ZXN0MCAXDTI2MTEyNjAxMjEyOVoYDzIxMjYxMTAy
MDEyMTI5WjAUMRIwEAYDVQQDDAltYWlsLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR2vgUwnd5Bl1cdnOqAmlEPkor15LXeTj/LDZu2FEfr2rHxMxmZxjq4
UNG3paRYPj7eUoPcDPK1ZDqxz1tFlCGMo28wbTAdBgNVHQ4EFgQUlPMI/A0WY9jG
cx9OKRbO734CgjMwHwYDVR0jBBgwFoAUlPMI/A0WY9jGcx9OKRbO734CgjMwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDRwAwRAIgTr8ZcOX+wCRxDKC+0vaAsm3Cb2QoxFoFe7xQGU/lrX4CIAwk
bqhn62nGOd0MmFFV5Wo29T4y4WwFWQTGltarNTYq
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6cGm+sHh1ZJ9kIL+
f51HoedP8lvswjQKpaV8fFPas4WhRANCAAR2vgUwnd5Bl1cdnOqAmlEPkor15LXe
Tj/LDZu2FEfr2rHxMxmZxjq4UNG3paRYPj7eUoPcDPK1ZDqxz1tFlCGM
-----END PRIVATE KEY-----
`

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
  readonly isEncrypted: boolean
  readonly user: string | undefined
}

export interface MailServer {
  readonly port: number
  readonly received: ReceivedMail[]
  close(): Promise<void>
}

const PASSWORD = 'correct horse'
export const MAIL_USER = { user: 'alerts', password: PASSWORD }

/** Rejects recipients at `rejected.example`, and what is not encrypted if it has TLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    cert: MAIL_CERTIFICATE,
    key: KEY,
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === PASSWORD
        ? callback(null, { user: String(username) })
        : callback(new Error('Invalid user or password')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.endsWith('@rejected.example') ? new Error('No such mailbox') : undefined),
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
          isEncrypted: secure,
          user: user === undefined ? undefined : String(user),
        })
        callback()
      })
    },
    ...options,
  })
  // Clients that refuse the certificate.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: portOf(server.server.address()),
    received,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

/** Speaks line by line, as the test says, and resets the connection where the script ends. */
export async function startScriptedServer(lines: readonly string[], isReset: boolean) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const rest = [...lines]
    const next = (): void => {
      const line = rest.shift()
      if (line !== undefined) socket.write(`${line}\r\n`)
      else if (isReset) socket.resetAndDestroy()
    }
    socket.on('error', () => undefined)
    socket.on('data', next)
    next()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server.address()),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
