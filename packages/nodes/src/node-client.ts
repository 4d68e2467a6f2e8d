// Requests to another node, over connections that are kept. Each has limits: a node that is cut off must not hold up
// the node that sends one.
import {
  Agent as HttpAgent,
  type ClientRequest,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

export interface NodeRequest {
  /** Origin of the node, such as `http://10.0.0.1:8080`. */
  readonly address: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  /** On a connection of its own, which is not kept. */
  readonly isApart?: boolean
}

export interface NodeClient {
  /**
   * Begins a request; the caller writes its body and ends it. It fails with an {@link Unanswered}, with an error of the
   * system, or with the error that the caller destroys it with.
   */
  begin(request: NodeRequest): ClientRequest
  close(): void
}

export interface NodeClientLimits {
  /** Until there is a connection. */
  readonly connectMillis: number
  /** Without a byte in either direction. */
  readonly silenceMillis: number
}

/** A node may work on a request for a minute; then it answers by itself. */
const LIMITS: NodeClientLimits = { connectMillis: 5_000, silenceMillis: 90_000 }
const MAX_CONNECTIONS = 256
/** Nodes keep connections for longer: none should close one just when it is used again. */
const IDLE_MILLIS = 30_000

/** The node did not answer. */
export class Unanswered extends Error {
  /** False if no byte of the request was sent. */
  readonly isSent: boolean

  constructor(message: string, isSent: boolean) {
    super(message)
    this.isSent = isSent
  }
}

export function createNodeClient({ connectMillis, silenceMillis }: NodeClientLimits = LIMITS): NodeClient {
  const agentOptions = { keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: IDLE_MILLIS }
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }
  return { begin, close: () => Object.values(agents).forEach((agent) => agent.destroy()) }

  function begin({ address, method, path, headers, isApart = false }: NodeRequest): ClientRequest {
    const base = new URL(address)
    const [send, agent] =
      base.protocol === 'https:' ? [requestHttps, agents['https:']] : [requestHttp, agents['http:']]
    const hostname = base.hostname.replace(/^\[|\]$/g, '')
    const nodeRequest = send({
      protocol: base.protocol,
      hostname,
      // The name of the node. By default, it would be the one in the client's Host header.
      servername: isIP(hostname) === 0 ? hostname : '',
      port: base.port,
      agent: isApart ? false : agent,
      method,
      path,
      headers,
    })
    // Node.js frames bodies of DELETE and GET only with this option: without a frame, they would be the next request.
    nodeRequest.useChunkedEncodingByDefault = true
    const unconnected = setTimeout(
      () => nodeRequest.destroy(new Unanswered(`no connection within ${connectMillis} ms`, false)),
      connectMillis,
    )
    const noteConnected = (): void => {
      clearTimeout(unconnected)
      nodeRequest.setTimeout(silenceMillis, () =>
        nodeRequest.destroy(new Unanswered(`silent for ${silenceMillis} ms`, true)),
      )
    }
    nodeRequest.once('socket', (socket) => {
      if (socket.connecting)
        socket.once(base.protocol === 'https:' ? 'secureConnect' : 'connect', noteConnected)
      else noteConnected()
    })
    nodeRequest.once('close', () => clearTimeout(unconnected))
    return nodeRequest
  }
}

/**
 * Whether a request without an answer met a kept connection that the node had closed. One that changes nothing can be sent
 * again.
 */
export const isOfClosedConnection = (
  failure: Error,
  { reusedSocket }: Pick<ClientRequest, 'reusedSocket'>,
): boolean => reusedSocket && 'code' in failure && (failure.code === 'ECONNRESET' || failure.code === 'EPIPE')

/** What the failure of a request says about it: whether the node may have carried it out. */
export function explainFailure(failure: Error, { socket }: Pick<ClientRequest, 'socket'>): Unanswered {
  if (failure instanceof Unanswered) return failure
  const code = 'code' in failure ? String(failure.code) : ''
  // Before the connection is there, nothing is sent; a refused certificate ends it at once.
  const isUnsent = socket === null || socket.connecting || UNSENT.test(code)
  return new Unanswered(failure.message, !isUnsent)
}

const UNSENT =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/
