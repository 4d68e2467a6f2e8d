// A name in wire form while it is looked up: octets folded (RFC 4343), label starts, keys for maps. RFC 1035 §3.1.

/** Longest name on the wire, and most labels that fit it without the root (RFC 1035 §2.3.4). */
const MAX_OCTETS = 255
const MAX_LABELS = 127

/** A reusable buffer for one name; reading into it allocates nothing. */
export class WireName {
  /** The folded name, the root's zero included. Valid up to `labelAt[labels]`. */
  readonly octets = Buffer.alloc(MAX_OCTETS)
  /** Where each label begins in `octets`; the entry after the last label is the root's. */
  readonly labelAt = new Uint8Array(MAX_LABELS + 1)
  /** Labels without the root. */
  labels = 0
  /** Where the name stood in what it was read from; its suffixes can be pointed to from there. */
  at = 0

  /** Reads the uncompressed name at `start`. Returns where it ends, or -1 when there is no such name before `end`. */
  read(source: Uint8Array, start: number, end: number): number {
    const { octets, labelAt } = this
    let from = start
    let to = 0
    let labels = 0
    for (;;) {
      const length = from < end ? (source[from] ?? 0) : -1
      if (length <= 0) {
        if (length < 0) return -1
        break
      }
      // A pointer or unknown label type fails here too: its first octet is over 63.
      if (length > 63 || to + length + 2 > MAX_OCTETS || from + 1 + length > end) return -1
      labelAt[labels] = to
      labels += 1
      octets[to] = length
      for (let i = 1; i <= length; i += 1) {
        const octet = source[from + i] ?? 0
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

  /** Labels `from` up to but not including `to`, one character an octet. A zone's nodes are found by such keys. */
  key(from: number, to: number): string {
    return this.octets.toString('latin1', this.labelAt[from], this.labelAt[to])
  }

  /** The whole name from label `from` on, the root included. Zones are found by such keys. */
  absoluteKey(from: number): string {
    return this.octets.toString('latin1', this.labelAt[from], (this.labelAt[this.labels] ?? 0) + 1)
  }

  /** Whether the name from label `from` on is exactly `other` from label `otherFrom` on. */
  endsLike(from: number, other: WireName, otherFrom: number): boolean {
    const start = this.labelAt[from] ?? 0
    const otherStart = other.labelAt[otherFrom] ?? 0
    const length = (this.labelAt[this.labels] ?? 0) - start
    if ((other.labelAt[other.labels] ?? 0) - otherStart !== length) return false
    for (let i = 0; i < length; i += 1)
      if (this.octets[start + i] !== other.octets[otherStart + i]) return false
    return true
  }

  /** Where label `label` of the name stands in the message that it was read from. */
  offset(label: number): number {
    return this.at + (this.labelAt[label] ?? 0)
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
