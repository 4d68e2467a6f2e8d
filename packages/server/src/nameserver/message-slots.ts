// Memory for several UDP messages, described as recvmmsg(2) and sendmmsg(2) want it: for each a struct mmsghdr, which points
// to a struct iovec for its octets and to the address of the other side. Layouts: see system-calls.ts.
import { MAX_SOCKET_ADDRESS_OCTETS } from './socket-address.ts'

const HEADER_OCTETS = 64
const VECTOR_OCTETS = 16

/** Fields of a struct mmsghdr and of a struct iovec, counted in units of 32 bits. */
const HEADER = { UNITS: 16, ADDRESS: 0, ADDRESS_OCTETS: 2, VECTOR: 4, VECTORS: 6, LENGTH: 14 } as const
const VECTOR = { UNITS: 4, MEMORY: 0, LENGTH: 2 } as const

/** Addresses of the other sides, one for each message. */
export class AddressSlots {
  readonly octets: Uint8Array

  constructor(count: number) {
    this.octets = outside(count * MAX_SOCKET_ADDRESS_OCTETS)
  }

  at(index: number): number {
    return index * MAX_SOCKET_ADDRESS_OCTETS
  }

  /** A copy. */
  get(index: number): Uint8Array {
    return this.octets.slice(this.at(index), this.at(index + 1))
  }

  set(index: number, address: Uint8Array): void {
    this.octets.set(address, this.at(index))
  }

  move(from: number, to: number): void {
    this.octets.copyWithin(this.at(to), this.at(from), this.at(from + 1))
  }
}

export class MessageSlots {
  /** For the system calls. */
  readonly headers: Uint8Array
  /** The memory of each message. */
  readonly messages: readonly Buffer[]
  readonly #vectors: Uint8Array
  readonly #headerUnits: Uint32Array
  readonly #vectorUnits: Uint32Array

  /**
   * @param options.strideOctets from one message's memory to the next's; not a power of two, or all messages begin in the
   *   same few lines of the processor's caches
   * @param options.firstAddress whose slot the first message's address is; the others' follow
   */
  constructor(options: {
    readonly count: number
    readonly messageOctets: number
    readonly strideOctets: number
    readonly addresses: AddressSlots
    readonly firstAddress: number
    readonly addressOctets: number
    readonly addressOf: (memory: Uint8Array) => bigint
  }) {
    const { count, messageOctets, strideOctets, addresses, firstAddress, addressOctets, addressOf } = options
    const memory = Buffer.from(new ArrayBuffer(count * strideOctets))
    this.messages = Array.from({ length: count }, (_, i) =>
      memory.subarray(i * strideOctets, i * strideOctets + messageOctets),
    )
    this.headers = outside(count * HEADER_OCTETS)
    this.#vectors = outside(count * VECTOR_OCTETS)
    this.#headerUnits = new Uint32Array(this.headers.buffer)
    this.#vectorUnits = new Uint32Array(this.#vectors.buffer)
    const pointers = {
      memory: addressOf(memory),
      vectors: addressOf(this.#vectors),
      addresses: addressOf(addresses.octets),
    }
    for (let i = 0; i < count; i += 1) {
      const header = i * HEADER.UNITS
      const vector = i * VECTOR.UNITS
      const address = pointers.addresses + BigInt(addresses.at(firstAddress + i))
      put64(this.#headerUnits, header + HEADER.ADDRESS, address)
      this.#headerUnits[header + HEADER.ADDRESS_OCTETS] = addressOctets
      put64(this.#headerUnits, header + HEADER.VECTOR, pointers.vectors + BigInt(i * VECTOR_OCTETS))
      put64(this.#headerUnits, header + HEADER.VECTORS, 1n)
      put64(this.#vectorUnits, vector + VECTOR.MEMORY, pointers.memory + BigInt(i * strideOctets))
      put64(this.#vectorUnits, vector + VECTOR.LENGTH, BigInt(messageOctets))
    }
  }

  /** Octets that the kernel has written to a message. */
  received(index: number): number {
    return this.#headerUnits[index * HEADER.UNITS + HEADER.LENGTH] ?? 0
  }

  /** A message as it is to be sent. */
  message(index: number): Uint8Array {
    const octets = this.#vectorUnits[index * VECTOR.UNITS + VECTOR.LENGTH]
    return this.messages[index]?.subarray(0, octets) ?? new Uint8Array()
  }

  /** The headers of a message and of those after it. */
  headersFrom(index: number): Uint8Array {
    return this.headers.subarray(index * HEADER_OCTETS)
  }

  /** Octets of a message that are to be sent. */
  setLength(index: number, octets: number): void {
    this.#vectorUnits[index * VECTOR.UNITS + VECTOR.LENGTH] = octets
  }
}

/** Memory that does not move: small arrays begin their life on the heap, where the collector moves them. */
function outside(octets: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(octets))
}

function put64(units: Uint32Array, at: number, value: bigint): void {
  units[at] = Number(value & 0xffff_ffffn)
  units[at + 1] = Number(value >> 32n)
}
