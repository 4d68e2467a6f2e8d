// UDP: one packet in, at most one out (RFC 1035 §4.2.1).
//
// `lookup` answers at once, because an address needs no resolving; Node would otherwise go through dns.lookup for every
// packet. All answers are written into one buffer: the kernel has copied it when send() returns, unless the socket's
// buffer was full and the answer waits in a queue. Then the buffer is left to the queue and a new one is taken.
import { createSocket } from 'node:dgram'
import type { RemoteInfo, Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { isExchange } from './exchange.ts'
import type { Endpoint, Listener, ListenerDeps } from './listener.ts'
import type { Peer } from './peer.ts'

/** Asked of the kernel, which may give less: bursts must survive while the event loop is elsewhere. */
const RECEIVE_BUFFER_OCTETS = 4_194_304

/** Listens on an address; port 0 picks a free one. @throws the system's error, as when the port is taken */
export async function listenUdp({ host, port }: Endpoint, deps: ListenerDeps): Promise<Listener> {
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    lookup: (address, _, done) => done(null, address, isIPv6(address) ? 6 : 4),
    recvBufferSize: RECEIVE_BUFFER_OCTETS,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, () => {
      socket.off('error', reject)
      resolve()
    })
  })
  serve(socket, deps)
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function serve(
  socket: Socket,
  { respond, respondLater, exchange, log, limits, metrics }: ListenerDeps,
): void {
  let out = Buffer.allocUnsafeSlow(limits.udpPayloadOctets)
  let isClosed = false
  socket.once('close', () => (isClosed = true))

  // Unreachable clients and the like: the answer is lost, as any packet may be, and the client asks again.
  socket.on('error', (error) => log.debug({ error }, 'dns udp error'))

  socket.on('message', (packet, client) => {
    if (client.port === 0) return metrics.countDropped('udp', 'garbage')
    if (socket.getSendQueueSize() > limits.udpUnsentOctets) return metrics.countDropped('udp', 'backlog')
    const peer: Peer = { transport: 'udp', address: client.address }
    const later = respondLater?.(packet, peer)
    if (later !== undefined) return void later.then((answer) => sendLate(answer, client))
    if (exchange !== undefined && isExchange(packet, packet.length)) {
      const answered = exchange.answer(packet, peer)
      if (answered instanceof Uint8Array) socket.send(answered, client.port, client.address)
      return
    }
    const octets = respond(packet, packet.length, peer, out)
    if (octets === 0) return
    socket.send(out, 0, octets, client.port, client.address)
    if (socket.getSendQueueCount() > 0) out = Buffer.allocUnsafeSlow(limits.udpPayloadOctets)
  })

  function sendLate(answer: Uint8Array | undefined, client: RemoteInfo): void {
    if (answer !== undefined && !isClosed) socket.send(answer, client.port, client.address)
  }
}
