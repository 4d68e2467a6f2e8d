// The key that signs reporting URLs: created once, and the same on every node.
import { randomBytes } from 'node:crypto'
import type { Log } from '@zonereeve/platform'
import { belongsToRow, isUnwritable, settings, type Storage } from '@zonereeve/storage'

const NAME = 'page_shield.reporting_key'
const BELONGS_TO = belongsToRow('settings', NAME)
const KEY_BYTES = 32

/** The key; made and stored where there is none that can be read. Addresses that the former one signed are refused then. */
export async function openReportingKey(storage: Storage, log: Pick<Log, 'warn'>): Promise<Uint8Array> {
  const row = await settings.find(storage, { name: NAME })
  // Read first: a database that cannot be written to right now may still contain it.
  const known = row && readKey(storage, row.value)
  if (known !== undefined) return known
  const key = randomBytes(KEY_BYTES)
  if (row !== undefined)
    log.warn({}, 'reporting key cannot be decrypted: a new one signs reporting addresses')
  const value = storage.vault.sealText(key.toString('base64'), BELONGS_TO)
  try {
    return await storage.write(async (tx) => {
      // Another node that starts at the same time was faster.
      const other = await settings.find(tx, { name: NAME })
      const made = other && readKey(storage, other.value)
      if (made !== undefined) return made
      await settings.save(tx, { name: NAME, value })
      return key
    })
  } catch (failure) {
    if (!isUnwritable(failure)) throw failure
    log.warn({ err: failure }, 'reporting key not stored: the next start makes another one')
  }
  return key
}

function readKey({ vault }: Storage, stored: string): Uint8Array | undefined {
  try {
    const key = Buffer.from(vault.openText(stored, BELONGS_TO), 'base64')
    return key.length === KEY_BYTES ? key : undefined
  } catch {
    return undefined
  }
}
