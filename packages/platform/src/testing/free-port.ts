// A port on loopback that nothing uses, for programs that cannot choose one themselves.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the system gives to outgoing connections and queries: one of those may be taken at any time. */
const [FIRST, LAST] = [10_000, 32_000]
const LOOPBACK = '127.0.0.1'

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port
  }
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer().listen(port, LOOPBACK)
  try {
    await once(server, 'listening')
  } catch {
    return false // in use
  }
  server.close()
  await once(server, 'close')
  return true
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, LOOPBACK)
  try {
    await once(socket, 'listening')
  } catch {
    socket.close()
    return false // in use
  }
  socket.close()
  await once(socket, 'close')
  return true
}
