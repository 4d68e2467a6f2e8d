// UDP: one packet in, at most one out (RFC 1035 §4.2.1).
//
// `lookup` returns the address at once, because addresses need no resolving; otherwise Node calls dns.lookup for
// every packet. All answers are written into one buffer: the kernel has copied it when send() returns, unless the
// socket's buffer was full and the answer waits in a queue. Then the queue keeps the buffer and a new one is
// allocated.
import { createSocket } from 'node:dgram'
import type { BindOptions, Socket, SocketOptions } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { NOT_KEPT } from './answer-cache.ts'
import { dispatchSlow } from './dispatch-slow.ts'
import type { ListenEndpoint, Listener, ListenerDeps } from './listener.ts'
import type { Peer } from './peer.ts'

/** Requested from the kernel, which may give less: bursts must survive while the event loop is busy. */
const RECEIVE_BUFFER_OCTETS = 4_194_304

/** Listens on an address; port 0 picks a free one. @throws the system's error, for example if the port is taken */
export async function listenUdp(
  { host, port, descriptor }: ListenEndpoint,
  deps: ListenerDeps,
): Promise<Listener> {
  const socket = createSocket(socketOptions(host))
  await bound(socket, descriptor === undefined ? { port, address: host } : { fd: descriptor })
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
  const { respond, fastPath, answers, log, limits } = deps
  let out = Buffer.allocUnsafeSlow(limits.udpPayloadOctets)
  let isClosed = false
  socket.once('close', () => (isClosed = true))
  // For example an unreachable client: the answer is lost, as any packet may be, and the client retries.
  socket.on('error', (error) => log.debug({ err: error }, 'dns udp error'))

  return (packet: Buffer, port: number, peer: Peer): void => {
    let octets = fastPath?.(packet, packet.length, peer, out) ?? NOT_KEPT
    if (octets === NOT_KEPT) octets = answers?.find(packet, packet.length, peer, out) ?? NOT_KEPT
    if (octets === NOT_KEPT) {
      const isTaken = dispatchSlow(deps, packet, peer, () => (other) => {
        if (!isClosed) socket.send(other, port, peer.address)
      })
      octets = isTaken ? 0 : respond(packet, packet.length, peer, out)
    }
    if (octets === 0) return
    socket.send(out, 0, octets, port, peer.address)
    if (socket.getSendQueueCount() > 0) out = Buffer.allocUnsafeSlow(limits.udpPayloadOctets)
  }
}
