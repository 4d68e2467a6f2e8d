// Sweeps the records of deleted zones in small chunks. It resumes where it stopped, also after a restart.
import type { Storage } from '@zonereeve/storage'
import { firstDeletedZone, sweepSome } from './deleted-zones.store.ts'

/**
 * @returns a function that sweeps until nothing is left or the signal aborts it. It returns the number of deleted
 * records.
 */
export function createDeletedZoneSweep({ storage }: { readonly storage: Storage }) {
  return async function sweep(signal: AbortSignal): Promise<number> {
    let swept = 0
    for (
      let zone = await firstDeletedZone(storage);
      zone !== undefined && !signal.aborted;
      zone = await firstDeletedZone(storage)
    ) {
      const deleted = zone
      swept += await storage.write((tx) => sweepSome(tx, deleted))
    }
    return swept
  }
}
