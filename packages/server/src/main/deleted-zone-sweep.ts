// Sweeps behind deleted zones, from the start on: what the last run of the program left undone is gone on with.
import type { DnsRecords } from '../features/dns-records/index.ts'
import { repeat, type Repetition } from '../jobs/repeat.ts'
import type { Log } from '../platform/log.ts'

/** Looking for nothing costs one look into an empty table. */
const SWEEP_INTERVAL_MILLIS = 2_000

/** Its end waits for no more than the records that are being deleted. */
export function startDeletedZoneSweep(records: Pick<DnsRecords, 'sweepDeletedZones'>, log: Log): Repetition {
  const ending = new AbortController()
  const run = (): Promise<number> => records.sweepDeletedZones(ending.signal)
  const repetition = repeat({ name: 'deleted zone sweep', everyMillis: SWEEP_INTERVAL_MILLIS, run }, log)
  return {
    stop() {
      ending.abort()
      return repetition.stop()
    },
  }
}
