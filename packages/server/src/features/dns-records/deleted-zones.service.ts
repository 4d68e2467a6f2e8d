// Sweeps what deleted zones have left behind: a few records at a time, from where it was left, also after a restart.
import type { Storage } from '../../storage/index.ts'
import { firstDeletedZone, sweepSome } from './deleted-zones.store.ts'

/** @returns a function that sweeps until nothing is left, or the signal ends it. It says how many records went. */
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
