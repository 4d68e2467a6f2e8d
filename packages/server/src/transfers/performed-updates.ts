// Signed updates that have come already. One that comes again while its signature is good is not performed again: it gets the
// answer of the first, which is what a client needs whose answer was lost, and worth nothing to whoever recorded it.
//
// RFC 8945 §5.2.3 lets servers remember the newest time of a key, and refuse what was signed before it. Two clients with one
// key would refuse each other so; here that is done only for what is older than what has been forgotten.
import { hexFromOctets, RCODE, TSIG_ALGORITHMS, type Name, type Tsig, type TsigKey } from '@zonereeve/dns'

/** About 20 MB; more than a client sends in the 300 seconds of a usual signature. */
export const MAX_REMEMBERED_UPDATES = 100_000

interface Performed {
  readonly keyName: Name
  readonly timeSigned: number
  readonly expiresAtSeconds: number
  readonly rcode: Promise<number>
}

export interface PerformedUpdates {
  /**
   * Performs an update whose signature was right, once.
   *
   * @returns its response code, or that of the first time; undefined where it is too old to know whether it is new.
   */
  perform(
    signed: { readonly tsig: Tsig; readonly key: TsigKey },
    work: () => Promise<number>,
  ): Promise<number> | undefined
}

export function createPerformedUpdates(
  nowSeconds: () => number,
  most: number = MAX_REMEMBERED_UPDATES,
): PerformedUpdates {
  /** The oldest first. */
  const performed = new Map<string, Performed>()
  /** By key: the latest time of signing that has been forgotten while it was good. */
  const forgotten = new Map<Name, number>()

  return {
    perform({ tsig, key }, work) {
      const id = idOf(tsig, key)
      const known = performed.get(id)
      if (known !== undefined) return known.rcode
      if (tsig.timeSigned <= (forgotten.get(key.name) ?? -1)) return undefined
      const rcode = work()
      forget()
      const { timeSigned, fudge } = tsig
      performed.set(id, { keyName: key.name, timeSigned, expiresAtSeconds: timeSigned + fudge, rcode })
      void rcode.then((code) => {
        // Nothing was done: the client may try again with the same packet.
        if (code === RCODE.SERVFAIL) performed.delete(id)
      })
      return rcode
    },
  }

  /** Makes room for one more. */
  function forget(): void {
    for (const [id, { keyName, timeSigned, expiresAtSeconds }] of performed) {
      const isOver = expiresAtSeconds < nowSeconds()
      if (!isOver && performed.size < most) return
      performed.delete(id)
      if (!isOver) forgotten.set(keyName, Math.max(timeSigned, forgotten.get(keyName) ?? -1))
    }
  }
}

/** The half of the MAC that no truncation may take away (RFC 8945 §5.2.2.1): cut shorter, it is still the same. */
function idOf({ mac }: Tsig, { name, algorithm }: TsigKey): string {
  return `${name} ${hexFromOctets(mac.subarray(0, TSIG_ALGORITHMS[algorithm] / 2))}`
}
