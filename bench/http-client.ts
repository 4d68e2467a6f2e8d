// One HTTP connection for benchmarks: it uses little CPU, so that the server is measured and not the client.
import { connect, type Socket } from 'node:net'

export interface HttpReply {
  readonly status: number
  readonly body: Buffer
}

export interface HttpConnection {
  readonly send: (method: string, path: string, body?: string) => Promise<HttpReply>
  readonly close: () => void
}

interface PendingRequest {
  readonly resolve: (reply: HttpReply) => void
  readonly reject: (error: Error) => void
}

/** Properties of a reply known from its head. */
interface Head {
  readonly status: number
  /** Undefined if the body ends with the connection. */
  readonly length: number | undefined
  readonly isLast: boolean
}

const END_OF_HEAD = '\r\n\r\n'

/** Keeps its connection open if the server does, and opens a new one if the server closes it. One request at a time. */
export function openConnection(port: number, headers: Readonly<Record<string, string>>): HttpConnection {
  const common = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  let socket: Socket | undefined
  let waiting: PendingRequest | undefined
  let head: Head | undefined
  let chunks: Buffer[] = []
  let received = 0

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
    forget()
    opened.on('data', (chunk: Buffer) => {
      if (socket === opened) take(chunk)
    })
    opened.on('close', () => {
      if (socket !== opened) return // an old connection, which the last reply announced to close
      socket = undefined
      if (head !== undefined && head.length === undefined) finish(head)
      else waiting?.reject(new Error('the connection closed before a whole reply came'))
    })
    opened.on('error', () => undefined) // 'close' follows, and fails the waiting request
    return opened
  }

  function take(chunk: Buffer): void {
    chunks.push(chunk)
    received += chunk.length
    if (head === undefined) {
      const text = Buffer.concat(chunks)
      const end = text.indexOf(END_OF_HEAD)
      if (end < 0) return
      head = readHead(text.toString('latin1', 0, end))
      const rest = text.subarray(end + END_OF_HEAD.length)
      chunks = [rest]
      received = rest.length
    }
    if (head.length !== undefined && received >= head.length) finish(head)
  }

  function finish({ status, isLast }: Head): void {
    const reply = { status, body: Buffer.concat(chunks) }
    const { resolve } = waiting ?? {}
    forget()
    waiting = undefined
    if (isLast) {
      socket?.destroy()
      socket = undefined
    }
    resolve?.(reply)
  }

  function forget(): void {
    head = undefined
    chunks = []
    received = 0
  }
}

function readHead(text: string): Head {
  const status = Number(text.slice(9, 12))
  if (/^transfer-encoding:/im.test(text)) throw new Error('this client cannot read chunked replies')
  const length = /^content-length: *(\d+)/im.exec(text)?.[1]
  const known = status === 204 ? 0 : length === undefined ? undefined : Number(length)
  return { status, length: known, isLast: /^connection: *close/im.test(text) }
}
