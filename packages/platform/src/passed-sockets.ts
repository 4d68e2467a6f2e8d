// Sockets that a service manager has opened and passed to this process (sd_listen_fds(3)): they follow standard error,
// and the environment says how many there are and what their names are. Linux only, as systemd.
import { readFileSync, readlinkSync } from 'node:fs'
import { formatIpv4, formatIpv6 } from '@zonereeve/dns'

export interface PassedSocket {
  readonly descriptor: number
  /** `FileDescriptorName=` of the unit; the name of the unit by default. */
  readonly name: string
  readonly kind: 'stream' | 'datagram'
  readonly host: string
  readonly port: number
}

const FIRST_DESCRIPTOR = 3
/** Descriptor -> inode: what the kernel calls the socket. */
type FindInode = (descriptor: number) => string

interface PassedSources {
  readonly pid: number
  readonly inodeOf: FindInode
  /** Tables of sockets by protocol: tcp, tcp6, udp, udp6. */
  readonly readTable: (protocol: string) => string
}

const OF_THIS_PROCESS: PassedSources = {
  pid: process.pid,
  inodeOf: (descriptor) => readlinkSync(`/proc/self/fd/${descriptor}`),
  readTable: (protocol) => readFileSync(`/proc/self/net/${protocol}`, 'utf8'),
}

/**
 * The sockets that were passed to this process; none if they were passed to another one.
 *
 * @throws Error naming a descriptor that is no UDP socket and no listening TCP socket.
 */
export function readPassedSockets(
  environment: Readonly<Record<string, string | undefined>>,
  { pid, inodeOf, readTable }: PassedSources = OF_THIS_PROCESS,
): readonly PassedSocket[] {
  const { LISTEN_PID: owner, LISTEN_FDS: count, LISTEN_FDNAMES: names } = environment
  if (owner !== String(pid) || count === undefined) return []
  if (!/^[1-9]\d{0,3}$/.test(count))
    throw new Error(`LISTEN_FDS must be the number of sockets; got "${count}"`)
  const byInode = new Map<string, Omit<PassedSocket, 'descriptor' | 'name'>>(
    TABLES.flatMap(({ protocol, kind }) =>
      readAddresses(readTable(protocol), kind).map(
        ({ inode, ...socket }) => [`socket:[${inode}]`, socket] as const,
      ),
    ),
  )
  const nameOf = names?.split(':') ?? [] // without names, they are empty
  return Array.from({ length: Number(count) }, (_, index) => {
    const descriptor = FIRST_DESCRIPTOR + index
    const name = nameOf[index] ?? '' // refused by who uses it
    const socket = byInode.get(inodeOf(descriptor))
    if (socket === undefined)
      throw new Error(`the passed socket ${descriptor} (${name}) is neither UDP nor a listening TCP socket`)
    return { descriptor, name, ...socket }
  })
}

const TABLES = [
  { protocol: 'tcp', kind: 'stream' },
  { protocol: 'tcp6', kind: 'stream' },
  { protocol: 'udp', kind: 'datagram' },
  { protocol: 'udp6', kind: 'datagram' },
] as const

const HEX_OF_WORD = 8
const OCTETS_OF_WORD = 4
/** State of a listening TCP socket in the kernel's tables (proc(5)). */
const LISTENING = '0A'

function readAddresses(
  table: string,
  kind: PassedSocket['kind'],
): readonly (Pick<PassedSocket, 'kind' | 'host' | 'port'> & { readonly inode: string })[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      const [address = '', port = ''] = local.split(':')
      if (inode === '' || (kind === 'stream' && state !== LISTENING)) return []
      return [{ inode, kind, host: readAddress(address), port: Number.parseInt(port, 16) }]
    })
}

/** The kernel prints words of 32 bits in the order of the machine: little-endian on x64 and arm64. */
function readAddress(hex: string): string {
  const words = Array.from({ length: hex.length / HEX_OF_WORD }, (_, index) =>
    Number.parseInt(hex.slice(index * HEX_OF_WORD, (index + 1) * HEX_OF_WORD), 16),
  )
  const octets = new Uint8Array(words.length * OCTETS_OF_WORD)
  for (const [index, word] of words.entries())
    new DataView(octets.buffer).setUint32(index * OCTETS_OF_WORD, word, true)
  return octets.length === OCTETS_OF_WORD ? formatIpv4(octets) : formatIpv6(octets)
}
