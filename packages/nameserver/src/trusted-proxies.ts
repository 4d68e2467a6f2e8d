// Messages over UDP, and connections over TCP, through trusted proxies: they are answered as if their client had sent
// them. The answers go back to the proxy.
import type { Socket } from 'node:net'
import { NOT_KEPT } from './answer-cache.ts'
import type { ListenerDeps } from './listener.ts'
import { needsMessageHandler } from './message-handler.ts'
import type { Peer } from './peer.ts'
import { MAX_PROXY_HEADER_OCTETS, readProxyHeader } from './proxy-protocol.ts'

export type IsProxy = (address: string) => boolean

interface Unwrapped {
  readonly packet: Uint8Array
  readonly peer: Peer
}

/** Listeners that read the header of messages over UDP from proxies. Without one, such messages are dropped. */
export function unwrapProxied(deps: ListenerDeps): ListenerDeps {
  const { isProxy, respond, respondLater, messageHandler, fastPath, answers, metrics } = deps
  if (isProxy === undefined) return deps
  return {
    ...deps,
    respond(packet, length, peer, out, reservedOctets) {
      if (!isProxied(peer)) return respond(packet, length, peer, out, reservedOctets)
      const message = unwrap(packet, length, peer)
      if (message !== undefined)
        return respond(message.packet, message.packet.length, message.peer, out, reservedOctets)
      metrics.countDropped('udp', 'garbage')
      return 0
    },
    respondLater(packet, peer) {
      if (!isProxied(peer)) return respondLater?.(packet, peer)
      const message = unwrap(packet, packet.length, peer)
      if (message === undefined) return undefined
      const later = respondLater?.(message.packet, message.peer)
      if (later !== undefined) return later
      if (messageHandler === undefined || !needsMessageHandler(message.packet, message.packet.length))
        return undefined
      const answered = Promise.resolve(messageHandler.answer(Uint8Array.from(message.packet), message.peer))
      return answered.then((answer) => (answer instanceof Uint8Array ? answer : undefined))
    },
    messageHandler: messageHandler && {
      answer(message, peer) {
        if (!isProxied(peer)) return messageHandler.answer(message, peer)
        // Without a header: those with one were taken by respondLater().
        metrics.countDropped('udp', 'garbage')
        return undefined
      },
    },
    fastPath: fastPath && find(fastPath),
    answers: answers && { ...answers, find: find(answers.find) },
  }

  function isProxied({ transport, address }: Peer): boolean {
    return transport === 'udp' && isProxy?.(address) === true
  }

  function find(found: NonNullable<typeof fastPath>): NonNullable<typeof fastPath> {
    return (packet, length, peer, out) => {
      if (!isProxied(peer)) return found(packet, length, peer, out)
      const message = unwrap(packet, length, peer)
      if (message === undefined) return NOT_KEPT
      return found(message.packet, message.packet.length, message.peer, out)
    }
  }
}

function unwrap(packet: Uint8Array, length: number, { transport, address }: Peer): Unwrapped | undefined {
  const header = readProxyHeader(packet, length)
  if (header === 'incomplete' || header === 'invalid') return undefined
  return {
    packet: packet.subarray(header.octets, length),
    peer: { transport, address: header.client ?? address },
  }
}

/**
 * Reads the header of a connection from a proxy, and calls `accept` with the address of the client. What follows stays
 * in the socket. Without a header, the connection is closed.
 */
export function readProxiedConnection(
  socket: Socket,
  address: string,
  metrics: ListenerDeps['metrics'],
  accept: (client: string) => void,
): void {
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', take)
  socket.on('error', ignore)

  function take(chunk: Buffer): void {
    received = Buffer.concat([received, chunk])
    const header = readProxyHeader(received, received.length)
    if (header === 'incomplete' && received.length <= MAX_PROXY_HEADER_OCTETS) return
    if (header === 'incomplete' || header === 'invalid') {
      metrics.countDropped('tcp', 'garbage')
      socket.destroy()
      return
    }
    socket.off('data', take)
    socket.pause()
    const rest = received.subarray(header.octets)
    if (rest.length > 0) socket.unshift(rest)
    accept(header.client ?? address)
    socket.off('error', ignore)
    socket.resume()
  }

  /** The connection has ended: nothing was asked. */
  function ignore(): void {}
}
