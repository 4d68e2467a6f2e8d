// Where an edge listens: on ports, and on sockets in the file system for proxies on the same machine.
import { Server } from 'node:http'
import { Server as TlsServer } from 'node:https'
import { lstatSync, unlinkSync } from 'node:fs'
import { type AddressInfo, connect, type Server as SocketServer } from 'node:net'

/** Address and port; port 0 selects a free one. */
export interface EdgeEndpoint {
  readonly host: string
  readonly port: number
}

/** A socket in the file system, by its absolute path. */
export interface EdgeSocket {
  readonly path: string
  readonly port?: undefined
}

/** Everybody who may enter the folder of a socket can ask there, as every user of a machine can ask at its loopback. */
const FOR_ALL = { readableAll: true, writableAll: true }

/** Adds the server to the opened ones. @throws the system's error */
export async function listen(
  server: SocketServer,
  { host, port }: EdgeEndpoint,
  opened: SocketServer[],
): Promise<EdgeEndpoint> {
  await open(server, { host, port })
  opened.push(server)
  const { address, port: chosen } = server.address() as AddressInfo // it listens on a port
  return { host: address, port: chosen }
}

/** The same on a port or a socket. What an edge that was killed has left of its socket is replaced. */
export async function listenAnywhere(
  server: SocketServer,
  listener: EdgeEndpoint | EdgeSocket,
  opened: SocketServer[],
): Promise<EdgeEndpoint | EdgeSocket> {
  if (listener.port !== undefined) return listen(server, listener, opened)
  const { path } = listener
  try {
    await open(server, { path, ...FOR_ALL })
  } catch (error) {
    if (!(await isLeft(path))) throw error
    unlinkSync(path)
    await open(server, { path, ...FOR_ALL })
  }
  opened.push(server)
  return { path }
}

const open = (server: SocketServer, options: Parameters<SocketServer['listen']>[0]): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })

/** Whether it is a socket at which no process listens. */
function isLeft(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'))
  })
}

/** Ends its connections, too; a socket in the file system is removed. */
export function closeServer(server: SocketServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if (server instanceof Server || server instanceof TlsServer) server.closeAllConnections()
  })
}
