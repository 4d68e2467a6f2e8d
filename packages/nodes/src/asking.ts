// Requests to another node, over connections that are kept. Each has limits: a node that is cut off must not hold up
// whoever asks it.
import {
  Agent as HttpAgent,
  type ClientRequest,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

export interface Question {
  /** Origin of the node, such as `http://10.0.0.1:8080`. */
  readonly address: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
}

export interface Asking {
  /** Begins a request; the caller sends its body, or ends it. It fails with an {@link Unanswered}, or of the caller's own. */
  begin(question: Question): ClientRequest
  close(): void
}

export interface AskingLimits {
  /** Until there is a connection. */
  readonly connectMillis: number
  /** Without a byte in either direction. */
  readonly silenceMillis: number
}

/** A node may work on a request for a minute; then it answers by itself. */
const LIMITS: AskingLimits = { connectMillis: 5_000, silenceMillis: 90_000 }
const MAX_CONNECTIONS = 256

/** The node did not answer. */
export class Unanswered extends Error {
  /** False if no byte of the request was sent. */
  readonly isSent: boolean

  constructor(message: string, isSent: boolean) {
    super(message)
    this.isSent = isSent
  }
}

export function createAsking({ connectMillis, silenceMillis }: AskingLimits = LIMITS): Asking {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
  }
  return { begin, close: () => Object.values(agents).forEach((agent) => agent.destroy()) }

  function begin({ address, method, path, headers }: Question): ClientRequest {
    const base = new URL(address)
    const [send, agent] =
      base.protocol === 'https:' ? [requestHttps, agents['https:']] : [requestHttp, agents['http:']]
    const hostname = base.hostname.replace(/^\[|\]$/g, '')
    const asked = send({
      protocol: base.protocol,
      hostname,
      // The name of the node. By default, it would be the one in the client's Host header.
      servername: isIP(hostname) === 0 ? hostname : '',
      port: base.port,
      agent,
      method,
      path,
      headers,
    })
    // Node frames bodies of DELETE and GET only if it is asked to: without a frame, they would be the next request.
    asked.useChunkedEncodingByDefault = true
    const unconnected = setTimeout(
      () => asked.destroy(new Unanswered(`no connection within ${connectMillis} ms`, false)),
      connectMillis,
    )
    const noteConnected = (): void => {
      clearTimeout(unconnected)
      asked.setTimeout(silenceMillis, () =>
        asked.destroy(new Unanswered(`silent for ${silenceMillis} ms`, true)),
      )
    }
    asked.once('socket', (socket) => {
      if (socket.connecting)
        socket.once(base.protocol === 'https:' ? 'secureConnect' : 'connect', noteConnected)
      else noteConnected()
    })
    asked.once('close', () => clearTimeout(unconnected))
    return asked
  }
}

/** What the failure of a request says about it: whether the node may have carried it out. */
export function explainFailure(failure: Error, asked: Pick<ClientRequest, 'socket'>): Unanswered {
  if (failure instanceof Unanswered) return failure
  const code = 'code' in failure ? String(failure.code) : ''
  // Before the connection is there, nothing is sent; a refused certificate ends it at once.
  const isUnsent = asked.socket === null || asked.socket.connecting || UNSENT.test(code)
  return new Unanswered(failure.message, !isUnsent)
}

const UNSENT =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/
