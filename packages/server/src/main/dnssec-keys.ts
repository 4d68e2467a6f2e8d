// The keys of signed zones, wired: opened before anything is served, and looked after while it is.
import type { Config } from '../config/index.ts'
import {
  allZoneKeys,
  createKeyVault,
  sealKeys,
  type Dnssec,
  type DnssecDeps,
  type ZoneKeys,
} from '../features/dnssec/index.ts'
import { repeat, type Repetition } from '../jobs/repeat.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../storage/index.ts'

/** How often keys are looked after: their steps wait for hours, parents are asked for minutes. */
const INTERVAL_MILLIS = 60_000

/** @throws KeyVaultError: the keys cannot be opened with the configured secret; the storage is closed then. */
export async function openKeys(
  storage: Storage,
  {
    keyEncryptionSecret,
    dnssecAlgorithm: algorithm,
  }: Pick<Config, 'keyEncryptionSecret' | 'dnssecAlgorithm'>,
): Promise<Pick<DnssecDeps, 'vault' | 'algorithm'> & { readonly keys: ReadonlyMap<string, ZoneKeys> }> {
  const vault = createKeyVault(keyEncryptionSecret)
  try {
    await sealKeys(storage, vault)
    return { vault, algorithm, keys: await allZoneKeys(storage, vault) }
  } catch (error) {
    await storage.close()
    throw error
  }
}

export const startKeyWork = (dnssec: Dnssec, log: Log): Repetition =>
  repeat({ name: 'dnssec keys', everyMillis: INTERVAL_MILLIS, run: dnssec.advanceAll }, log)
