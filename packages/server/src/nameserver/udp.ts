// UDP: one packet in, at most one out (RFC 1035 §4.2.1).
//
// `lookup` answers at once, because an address needs no resolving; Node would otherwise go through dns.lookup for every
// packet. All answers are written into one buffer: the kernel has copied it when send() returns, unless the socket's
// buffer was full and the answer waits in a queue. Then the buffer is left to the queue and a new one is taken.
import { createSocket } from 'node:dgram'
import type { BindOptions, Socket, SocketOptions } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { NOT_KEPT } from './answer-cache.ts'
import { answerAside } from './aside.ts'
import type { Endpoint, Listener, ListenerDeps } from './listener.ts'
import type { Peer } from './peer.ts'

/** Asked of the kernel, which may give less: bursts must survive while the event loop is elsewhere. */
const RECEIVE_BUFFER_OCTETS = 4_194_304

/** Listens on an address; port 0 picks a free one. @throws the system's error, as when the port is taken */
export async function listenUdp({ host, port }: Endpoint, deps: ListenerDeps): Promise<Listener> {
  const socket = createSocket(socketOptions(host))
  await bound(socket, { port, address: host })
  const answer = createUdpAnswer(socket, deps)
  socket.on('message', (packet, { port: from, address }) => {
    if (from === 0) deps.metrics.countDropped('udp', 'garbage')
    else if (socket.getSendQueueSize() > deps.limits.udpUnsentOctets)
      deps.metrics.countDropped('udp', 'backlog')
    else answer(packet, from, { transport: 'udp', address })
  })
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

export function socketOptions(host: string): SocketOptions {
  return {
    type: isIPv6(host) ? 'udp6' : 'udp4',
    lookup: (address, _, done) => done(null, address, isIPv6(address) ? 6 : 4),
    recvBufferSize: RECEIVE_BUFFER_OCTETS,
  }
}

/** Resolves when the socket listens. @throws the system's error */
export async function bound(socket: Socket, options: BindOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(options, () => {
      socket.off('error', reject)
      resolve()
    })
  })
}

/** Answers packets that the socket has read, one by one. */
export function createUdpAnswer(socket: Socket, deps: ListenerDeps) {
  const { respond, quick, answers, log, limits } = deps
  let out = Buffer.allocUnsafeSlow(limits.udpPayloadOctets)
  let isClosed = false
  socket.once('close', () => (isClosed = true))
  // Unreachable clients and the like: the answer is lost, as any packet may be, and the client asks again.
  socket.on('error', (error) => log.debug({ error }, 'dns udp error'))

  return (packet: Buffer, port: number, peer: Peer): void => {
    let octets = quick?.(packet, packet.length, peer, out) ?? NOT_KEPT
    if (octets === NOT_KEPT) octets = answers?.find(packet, packet.length, peer, out) ?? NOT_KEPT
    if (octets === NOT_KEPT) {
      const isTaken = answerAside(deps, packet, peer, () => (other) => {
        if (!isClosed) socket.send(other, port, peer.address)
      })
      octets = isTaken ? 0 : respond(packet, packet.length, peer, out)
    }
    if (octets === 0) return
    socket.send(out, 0, octets, port, peer.address)
    if (socket.getSendQueueCount() > 0) out = Buffer.allocUnsafeSlow(limits.udpPayloadOctets)
  }
}
