// How far the log of reports is stored.
import { settings, type Reader, type Transaction } from '@zonereeve/storage'

const NAME = 'report_log_position'

/** @returns undefined if nothing of it is stored */
export const findPosition = async (db: Reader): Promise<string | undefined> =>
  (await settings.find(db, { name: NAME }))?.value

export const savePosition = (tx: Transaction, value: string): Promise<unknown> =>
  settings.save(tx, { name: NAME, value })
