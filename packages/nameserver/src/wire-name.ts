// A name in wire form for look-ups: octets folded to lower case (RFC 4343), label starts, keys for maps. RFC 1035
// §3.1.
import { byteAt } from '@zonereeve/dns'

/** Longest name on the wire, and the most labels that fit in it without the root (RFC 1035 §2.3.4). */
const MAX_OCTETS = 255
const MAX_LABELS = 127

/** A reusable buffer for one name; reading into it allocates nothing. */
export class WireName {
  /** The folded name, including the root's zero. Valid up to `labelAt[labels]`. */
  readonly octets = Buffer.alloc(MAX_OCTETS)
  /** Start of each label in `octets`; the entry after the last label is the root's. */
  readonly labelAt = new Uint8Array(MAX_LABELS + 1)
  /** Labels without the root. */
  labels = 0
  /** Position of the name in its source; compression pointers can point to its suffixes there. */
  at = 0

  /** Reads the uncompressed name at `start`. Returns its end, or -1 if there is no such name before `end`. */
  read(source: Uint8Array, start: number, end: number): number {
    const { octets, labelAt } = this
    let from = start
    let to = 0
    let labels = 0
    for (;;) {
      const length = from < end ? (source[from] as number) : -1 // within the source
      if (length <= 0) {
        if (length < 0) return -1
        break
      }
      // Also rejects pointers and unknown label types: their first octet is over 63.
      if (length > 63 || to + length + 2 > MAX_OCTETS || from + 1 + length > end) return -1
      labelAt[labels] = to
      labels += 1
      octets[to] = length
      for (let i = 1; i <= length; i += 1) {
        const octet = source[from + i] as number // before `end`, as checked above
        octets[to + i] = octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet
      }
      from += 1 + length
      to += 1 + length
    }
    labelAt[labels] = to
    octets[to] = 0
    this.labels = labels
    this.at = start
    return from + 1
  }

  /**
   * Start of a label in `octets`; after the last label that of the root. @throws RangeError for more labels than a
   * name has
   */
  start(label: number): number {
    return byteAt(this.labelAt, label)
  }

  /** The octets of the name from label `from` on, including the root. Valid until the next name is read. */
  wire(from = 0): Uint8Array {
    return this.octets.subarray(this.start(from), this.start(this.labels) + 1)
  }

  /** Labels `from` up to but not including `to`. Valid until the next name is read. */
  between(from: number, to: number): Uint8Array {
    return this.octets.subarray(this.start(from), this.start(to))
  }

  /** Labels `from` up to but not including `to`, one character per octet. Keys of a zone's nodes. */
  key(from: number, to: number): string {
    return this.octets.toString('latin1', this.labelAt[from], this.labelAt[to])
  }

  /** The whole name from label `from` on, including the root. Keys of zones. */
  absoluteKey(from: number): string {
    return this.octets.toString('latin1', this.labelAt[from], this.start(this.labels) + 1)
  }

  /** Whether the name from label `from` on equals `other` from label `otherFrom` on. */
  endsLike(from: number, other: WireName, otherFrom: number): boolean {
    const start = this.start(from)
    const otherStart = other.start(otherFrom)
    const length = this.start(this.labels) - start
    if (other.start(other.labels) - otherStart !== length) return false
    for (let i = 0; i < length; i += 1)
      if (this.octets[start + i] !== other.octets[otherStart + i]) return false
    return true
  }

  /** Position of label `label` in the message that the name was read from. */
  offset(label: number): number {
    return this.at + this.start(label)
  }
}

/** The key of a wildcard below the name of `key` (RFC 4592 §2.1.1). */
export function wildcardKey(key: string): string {
  return `\u0001*${key}`
}

/** The key without its first label. */
export function parentKey(key: string): string {
  return key.slice(1 + key.charCodeAt(0))
}
