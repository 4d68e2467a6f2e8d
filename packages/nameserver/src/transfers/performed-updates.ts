// Remembers performed signed updates. A repeated update with a still valid signature is not performed again: it gets
// the first answer. That helps a client that lost the answer, and makes replays useless.
//
// RFC 8945 §5.2.3 lets servers remember the newest time of a key, and reject what was signed before it. Two clients
// with one key would then reject each other; here that applies only to updates older than those already forgotten.
import { hexFromOctets, RCODE, TSIG_ALGORITHMS, type Name, type Tsig, type TsigKey } from '@zonereeve/dns'

/** About 20 MB; more than a client sends in the 300 seconds of a default signature fudge. */
export const MAX_REMEMBERED_UPDATES = 100_000

interface Performed {
  readonly keyName: Name
  readonly timeSigned: number
  readonly expiresAtSeconds: number
  readonly rcode: Promise<number>
}

export interface PerformedUpdates {
  /**
   * Performs an update with a valid signature, once.
   *
   * @returns its response code, or that of the first time; undefined if it is too old to know whether it is new.
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
  /** Oldest first. */
  const performed = new Map<string, Performed>()
  /** By key: the latest signing time of an update that was forgotten while its signature was still valid. */
  const forgotten = new Map<Name, number>()

  return {
    perform({ tsig, key }, work) {
      const id = idOf(tsig, key)
      const known = performed.get(id)
      if (known !== undefined) return known.rcode
      if (tsig.timeSigned <= (forgotten.get(key.name) ?? -1)) return undefined // none is forgotten
      const rcode = work()
      forget()
      const { timeSigned, fudge } = tsig
      performed.set(id, { keyName: key.name, timeSigned, expiresAtSeconds: timeSigned + fudge, rcode })
      void rcode.then((code) => {
        // Nothing was changed: the client may retry with the same packet.
        if (code === RCODE.SERVFAIL) performed.delete(id)
      })
      return rcode
    },
  }

  /** Removes the oldest entry. */
  function forget(): void {
    for (const [id, { keyName, timeSigned, expiresAtSeconds }] of performed) {
      const isOver = expiresAtSeconds < nowSeconds()
      if (!isOver && performed.size < most) return
      performed.delete(id)
      // -1: none of the key is forgotten yet.
      if (!isOver) forgotten.set(keyName, Math.max(timeSigned, forgotten.get(keyName) ?? -1))
    }
  }
}

/** The half of the MAC that no truncation may remove (RFC 8945 §5.2.2.1): a truncated copy still has the same id. */
function idOf({ mac }: Tsig, { name, algorithm }: TsigKey): string {
  return `${name} ${hexFromOctets(mac.subarray(0, TSIG_ALGORITHMS[algorithm] / 2))}`
}
