// One HTTP connection written for measuring: it costs the load's core little, so that the server is what is measured.
import { connect, type Socket } from 'node:net'

export interface HttpReply {
  readonly status: number
  readonly body: string
}

export interface HttpConnection {
  readonly send: (method: string, path: string, body?: string) => Promise<HttpReply>
  readonly close: () => void
}

interface Waiting {
  readonly resolve: (reply: HttpReply) => void
  readonly reject: (error: Error) => void
}

/** Keeps its connection where the server does, and opens another where the server closes it. One request at a time. */
export function openConnection(port: number, headers: Readonly<Record<string, string>>): HttpConnection {
  const common = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  let socket: Socket | undefined
  let received = ''
  let waiting: Waiting | undefined

  return { send, close: () => socket?.destroy() }

  function send(method: string, path: string, body = ''): Promise<HttpReply> {
    const type = body === '' ? '' : 'content-type: application/json\r\n'
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      socket ??= open()
      socket.write(`${method} ${path} HTTP/1.1\r\n${common}${type}${length}\r\n${body}`)
    })
  }

  function open(): Socket {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    received = ''
    opened.setEncoding('latin1')
    opened.on('data', (chunk) => {
      if (socket !== opened) return
      received += String(chunk)
      takeReply(false)
    })
    opened.on('close', () => {
      if (socket !== opened) return // an old one, which its last reply said would close
      socket = undefined
      takeReply(true)
    })
    opened.on('error', () => undefined) // 'close' follows, and fails the request that waits
    return opened
  }

  function takeReply(isClosed: boolean): void {
    if (waiting === undefined) return
    const { resolve, reject } = waiting
    const parsed = parseReply(received, isClosed)
    if (parsed === undefined && !isClosed) return
    waiting = undefined
    if (parsed === undefined) return reject(new Error('the connection closed before a whole reply came'))
    received = ''
    if (parsed.isLast) {
      socket?.destroy()
      socket = undefined
    }
    resolve(parsed.reply)
  }
}

function parseReply(text: string, isClosed: boolean): { reply: HttpReply; isLast: boolean } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const status = Number(head.slice(9, 12))
  if (/^transfer-encoding:/im.test(head)) throw new Error('a chunked reply, which this client cannot read')
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  const body = text.slice(end + 4)
  const isWhole = status === 204 || (length === undefined ? isClosed : body.length >= Number(length))
  if (!isWhole) return undefined
  return { reply: { status, body }, isLast: /^connection: *close/im.test(head) }
}
