// System calls that Node does not offer: several UDP messages in one call (recvmmsg(2), sendmmsg(2)), through koffi,
// which is optional. Constants and layouts are those of Linux on 64-bit little-endian machines.
import { elementAt } from '@zonereeve/dns'
import { getSystemErrorName } from 'node:util'
import type koffi from 'koffi'
import { FAMILY, MAX_SOCKET_ADDRESS_OCTETS, portAt } from './socket-address.ts'

/** Machines whose struct mmsghdr has the layout of message-buffers.ts. */
const KNOWN_MACHINES: ReadonlySet<string> = new Set(['linux x64', 'linux arm64'])

const SOCK_STREAM = 1
const SOCK_DGRAM = 2
const SOCK_NONBLOCK_CLOEXEC = 0o4000 | 0o2000000
const MSG_DONTWAIT = 0x40
const F_DUPFD_CLOEXEC = 1030
const SOL_SOCKET = 1
const SO_REUSEADDR = 2
const OFF = new Uint8Array(4)
const ON = Uint8Array.of(1, 0, 0, 0)
/** Connections that wait until a thread accepts them, as in Node. */
const BACKLOG = 511

export interface SystemCalls {
  /**
   * Opens a UDP socket on an address in the kernel's form. Returns its descriptor. @throws an error with the system's
   * code
   */
  openUdp(address: Uint8Array): number
  /** The same for a listening TCP socket, at a port that connections of a previous process may still use. */
  openTcp(address: Uint8Array): number
  /** The port that a socket is bound to. */
  portOf(descriptor: number): number
  /** Prevents other sockets from binding the address: a socket that is handed to dgram would allow it. */
  keepAddress(descriptor: number): void
  /** Another descriptor of the same socket. @throws an error with the system's code */
  duplicate(descriptor: number): number
  close(descriptor: number): void
  /** The address of memory outside the heap. The memory must be kept alive as long as the kernel uses the address. */
  addressOf(memory: Uint8Array): bigint
  /** Fills up to `count` messages. Returns how many; -1 if there is none, or on an error. */
  receive(descriptor: number, headers: Uint8Array, count: number): number
  /** Sends up to `count` messages. Returns how many; -1 if the first of them cannot be sent. */
  send(descriptor: number, headers: Uint8Array, count: number): number
  /** The name of the last call's error, for example `EAGAIN`. */
  errorCode(): string
}

export type SystemCallsFound =
  | { readonly calls: SystemCalls }
  | { readonly calls: undefined; readonly reason: string }

/** Finds the system calls if they are available. */
export async function findSystemCalls(
  machine = `${process.platform} ${process.arch}`,
  load: () => Promise<{ readonly default: Koffi }> = () => import('koffi'),
): Promise<SystemCallsFound> {
  if (!KNOWN_MACHINES.has(machine)) return { calls: undefined, reason: `not known on ${machine}` }
  try {
    const { default: koffi } = await load()
    const libc = koffi.load(null)
    if (!isGnu(libc)) return { calls: undefined, reason: 'not known with this C library' }
    return { calls: createSystemCalls(koffi, libc) }
  } catch (error) {
    // The optional package may be missing, or not run here; then dgram is used.
    return { calls: undefined, reason: error instanceof Error ? elementAt(error.message.split('\n'), 0) : '' }
  }
}

/** The part of koffi that is used. */
type Koffi = Pick<typeof koffi, 'load' | 'address' | 'errno'>
type Library = ReturnType<Koffi['load']>

/**
 * Other C libraries make these calls differently: musl sends one message after the other, and its structures have
 * different padding.
 */
function isGnu(libc: Library): boolean {
  try {
    libc.func('const char *gnu_get_libc_version(void)')
    return true
  } catch {
    return false // koffi throws if a function does not exist
  }
}

function createSystemCalls(koffi: Koffi, libc: Library): SystemCalls {
  // koffi's functions accept and return anything; each C declaration gives the types.
  const socket = libc.func('int socket(int, int, int)') as (...args: number[]) => number // as declared
  const close = libc.func('int close(int)') as (descriptor: number) => number // as declared
  const fcntl = libc.func('int fcntl(int, int, ...)') as (...args: (number | string)[]) => number // as declared
  const bind = libc.func('int bind(int, void *, uint)') as OnMemory // as declared
  const listen = libc.func('int listen(int, int)') as (...args: number[]) => number // as declared
  const getsockname = libc.func('int getsockname(int, void *, void *)') as GetName // as declared
  const setsockopt = libc.func('int setsockopt(int, int, int, void *, uint)') as SetOption // as declared
  const recvmmsg = libc.func('int recvmmsg(int, void *, uint, int, void *)') as OnMessages // as declared
  const sendmmsg = libc.func('int sendmmsg(int, void *, uint, int)') as OnMessages // as declared
  const errorCode = (): string => getSystemErrorName(-koffi.errno())

  /** @throws an error with the system's code; the descriptor is then closed */
  function orClose(descriptor: number, call: string, result: number): void {
    if (result === 0) return
    const code = errorCode()
    close(descriptor)
    throw systemError(call, code)
  }

  function open(kind: number, address: Uint8Array): number {
    const family = address[0] === FAMILY.IPV6 ? FAMILY.IPV6 : FAMILY.IPV4
    const descriptor = socket(family, kind | SOCK_NONBLOCK_CLOEXEC, 0)
    if (descriptor < 0) throw systemError('socket', errorCode())
    if (kind === SOCK_STREAM) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, ON, ON.length)
    orClose(descriptor, 'bind', bind(descriptor, address, address.length))
    return descriptor
  }

  return {
    openUdp: (address) => open(SOCK_DGRAM, address),
    openTcp(address) {
      const descriptor = open(SOCK_STREAM, address)
      orClose(descriptor, 'listen', listen(descriptor, BACKLOG))
      return descriptor
    },
    portOf(descriptor) {
      const address = new Uint8Array(MAX_SOCKET_ADDRESS_OCTETS)
      const size = Uint8Array.of(address.length, 0, 0, 0)
      if (getsockname(descriptor, address, size) !== 0) throw systemError('getsockname', errorCode())
      return portAt(address, 0)
    },
    keepAddress: (descriptor) => void setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, OFF, OFF.length),
    duplicate(descriptor) {
      const other = fcntl(descriptor, F_DUPFD_CLOEXEC, 'int', 0)
      if (other < 0) throw systemError('fcntl', errorCode())
      return other
    },
    close: (descriptor) => void close(descriptor),
    addressOf: (memory) => koffi.address(memory),
    receive: (descriptor, headers, count) => recvmmsg(descriptor, headers, count, MSG_DONTWAIT, null),
    send: (descriptor, headers, count) => sendmmsg(descriptor, headers, count, MSG_DONTWAIT),
    errorCode,
  }
}

type OnMemory = (descriptor: number, memory: Uint8Array, octets: number) => number
type OnMessages = (
  descriptor: number,
  headers: Uint8Array,
  count: number,
  flags: number,
  timeout?: null,
) => number
type GetName = (descriptor: number, address: Uint8Array, size: Uint8Array) => number
type SetOption = (
  descriptor: number,
  level: number,
  name: number,
  value: Uint8Array,
  octets: number,
) => number

function systemError(call: string, code: string): Error {
  return Object.assign(new Error(`${call} ${code}`), { code, syscall: call })
}
