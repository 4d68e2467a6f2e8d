// Signatures on their way to the store, as octets: those that another thread has made come in one array, not as an
// object each.
//
// Of each: a head, the name relative to the apex, the records that were signed, and the signatures as a run has them.
import type { Signed } from './zone-signer.ts'
import { SIGNED } from './zone-store/run.ts'

/** Offsets in a head. */
const HEAD = { END: 0, RECORDS: 4, SIGNATURES: 8, ZONE: 12, TYPE: 14, OCTETS: 16 } as const

/** Writes batches, one after the other. */
export class SignatureWriter {
  #octets = new Uint8Array(4096)
  #data = new DataView(this.#octets.buffer)
  #end = 0

  /** Octets that were written. */
  get length(): number {
    return this.#end
  }

  /**
   * @param zone number of the zone in this batch
   * @param name relative to the apex, in wire form
   */
  add(
    zone: number,
    name: Uint8Array,
    { rrset, recordOctets, signatureCount, usableFrom, refreshAt }: Signed,
  ): void {
    const start = this.#end
    const recordsAt = start + HEAD.OCTETS + name.length
    const signaturesAt = recordsAt + recordOctets
    const end = recordsAt + rrset.wire.length + SIGNED.HEAD
    this.#reserve(end)
    this.#octets.set(name, start + HEAD.OCTETS)
    this.#octets.set(rrset.wire, recordsAt)
    this.#octets.copyWithin(signaturesAt + SIGNED.HEAD, signaturesAt, recordsAt + rrset.wire.length)
    const data = this.#data
    data.setUint32(start + HEAD.END, end)
    data.setUint32(start + HEAD.RECORDS, recordsAt)
    data.setUint32(start + HEAD.SIGNATURES, signaturesAt)
    data.setUint16(start + HEAD.ZONE, zone)
    data.setUint16(start + HEAD.TYPE, rrset.type)
    data.setUint32(signaturesAt + SIGNED.OCTETS, rrset.wire.length - recordOctets, true)
    data.setUint32(signaturesAt + SIGNED.COUNT, signatureCount, true)
    data.setUint32(signaturesAt + SIGNED.USABLE_FROM, Math.ceil(usableFrom / 1000), true)
    data.setUint32(signaturesAt + SIGNED.REFRESH_AT, Math.floor(refreshAt / 1000), true)
    this.#end = end
  }

  /** A copy of what was written since the last one. */
  take(): Uint8Array {
    const batch = this.#octets.slice(0, this.#end)
    this.#end = 0
    return batch
  }

  #reserve(octets: number): void {
    if (octets <= this.#octets.length) return
    const larger = new Uint8Array(2 * octets)
    larger.set(this.#octets)
    this.#octets = larger
    this.#data = new DataView(larger.buffer)
  }
}

/** Reads one batch; positions are offsets in its octets. */
export class SignatureReader {
  readonly octets: Uint8Array
  readonly #data: DataView
  #at = 0
  /** End of what was read last. */
  #end = 0

  constructor(octets: Uint8Array) {
    this.octets = octets
    this.#data = new DataView(octets.buffer, octets.byteOffset)
  }

  /** Reads the next signatures of a zone. Returns false at the end. */
  next(zone: number): boolean {
    while (this.#end < this.octets.length) {
      this.#at = this.#end
      this.#end = this.#data.getUint32(this.#at + HEAD.END)
      if (this.#data.getUint16(this.#at + HEAD.ZONE) === zone) return true
    }
    return false
  }

  get type(): number {
    return this.#data.getUint16(this.#at + HEAD.TYPE)
  }

  /** The name ends where the records begin. */
  get name(): number {
    return this.#at + HEAD.OCTETS
  }

  get records(): number {
    return this.#data.getUint32(this.#at + HEAD.RECORDS)
  }

  /** The records end where the signatures begin. */
  get signatures(): number {
    return this.#data.getUint32(this.#at + HEAD.SIGNATURES)
  }

  get end(): number {
    return this.#end
  }
}
