// Sockets that systemd passes instead of the addresses of settings: their names are the names of the settings.
import type { PassedSocket } from '@zonereeve/platform'
import type { Endpoint } from './setting.ts'

export type PassedEndpoints = Partial<Record<'http' | 'https' | 'dns', Endpoint>>

/** What each setting needs. */
const NEEDED = {
  http: ['stream'],
  https: ['stream'],
  dns: ['stream', 'datagram'],
} as const satisfies Readonly<Record<keyof PassedEndpoints, readonly PassedSocket['kind'][]>>

const isKnown = (name: string): name is keyof PassedEndpoints => Object.hasOwn(NEEDED, name)

/** @throws Error naming the socket, and what would be right. */
export function passedEndpoints(sockets: readonly PassedSocket[]): PassedEndpoints {
  for (const { name, descriptor } of sockets)
    if (!isKnown(name))
      throw new Error(
        `the passed socket ${descriptor} is named "${name}": FileDescriptorName= must be http, https or dns`,
      )
  const endpoints: PassedEndpoints = {}
  for (const [name, kinds] of Object.entries(NEEDED)) {
    const own = sockets.filter((socket) => socket.name === name)
    const [first] = own
    if (first === undefined || !isKnown(name)) continue
    const found = own.map(({ kind }) => kind).toSorted()
    if (found.join() !== kinds.toSorted().join())
      throw new Error(
        `the sockets of ${name} must be ${kinds.join(' and ')}, one of each; got ${found.join(', ')}`,
      )
    if (own.some(({ host, port }) => host !== first.host || port !== first.port))
      throw new Error(`the sockets of ${name} must have one address and port`)
    const stream = own.find(({ kind }) => kind === 'stream')?.descriptor
    const datagram = own.find(({ kind }) => kind === 'datagram')?.descriptor
    if (stream === undefined) continue // not reached: each has one
    endpoints[name] = { host: first.host, port: first.port, passed: { stream, datagram } }
  }
  return endpoints
}
