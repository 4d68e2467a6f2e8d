// Memory for several UDP messages in the layout of recvmmsg(2) and sendmmsg(2): for each a struct mmsghdr, which
// points to a struct iovec for its octets and to the peer's address. Layouts: see system-calls.ts.
import { MAX_SOCKET_ADDRESS_OCTETS } from './socket-address.ts'

const HEADER_OCTETS = 64
const VECTOR_OCTETS = 16

/** Offsets in a struct mmsghdr and in a struct iovec, in units of 32 bits. */
const HEADER = { UNITS: 16, ADDRESS: 0, ADDRESS_OCTETS: 2, VECTOR: 4, VECTORS: 6, LENGTH: 14 } as const
const VECTOR = { UNITS: 4, MEMORY: 0, LENGTH: 2 } as const

/** Peer addresses, one for each message. */
export class AddressBuffers {
  readonly octets: Uint8Array

  constructor(count: number) {
    this.octets = outside(count * MAX_SOCKET_ADDRESS_OCTETS)
  }

  at(index: number): number {
    return index * MAX_SOCKET_ADDRESS_OCTETS
  }

  /** Returns a copy. */
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

export class MessageBuffers {
  /** Passed to the system calls. */
  readonly headers: Uint8Array
  /** The buffer of each message. */
  readonly messages: readonly Buffer[]
  readonly #vectors: Uint8Array
  readonly #headerUnits: Uint32Array
  readonly #vectorUnits: Uint32Array

  /**
   * @param options.strideOctets distance between the buffers of two messages; not a power of two, or all messages
   * begin in
   * the same few lines of the processor's caches
   * @param options.firstAddress address slot of the first message; those of the others follow
   */
  constructor(options: {
    readonly count: number
    readonly messageOctets: number
    readonly strideOctets: number
    readonly addresses: AddressBuffers
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

  /** The octets of a message that will be sent. */
  message(index: number): Uint8Array {
    const octets = this.#vectorUnits[index * VECTOR.UNITS + VECTOR.LENGTH]
    return this.messages[index]?.subarray(0, octets) ?? new Uint8Array()
  }

  /** The headers from a message on. */
  headersFrom(index: number): Uint8Array {
    return this.headers.subarray(index * HEADER_OCTETS)
  }

  /** Sets how many octets of a message are sent. */
  setLength(index: number, octets: number): void {
    this.#vectorUnits[index * VECTOR.UNITS + VECTOR.LENGTH] = octets
  }
}

/** Allocates memory that never moves: the garbage collector moves small arrays on the heap. */
function outside(octets: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(octets))
}

function put64(units: Uint32Array, at: number, value: bigint): void {
  units[at] = Number(value & 0xffff_ffffn)
  units[at + 1] = Number(value >> 32n)
}
