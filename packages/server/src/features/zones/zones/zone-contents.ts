// Objects of a zone that other features store, and that are deleted with it.
import { DomainError } from '@zonereeve/platform'
import type { Reader, Transaction } from '@zonereeve/storage'
import type { ChangeOp } from '../../changes/index.ts'

export interface ZoneContents {
  readonly name: string
  /** The deletions for the change set that deletes the zone. */
  operations(db: Reader, zoneId: string): Promise<readonly ChangeOp[]>
  /** @param position of that change set, for objects that are too many to be deleted at once. */
  remove(tx: Transaction, zoneId: string, position: number): Promise<unknown>
}

/** What cannot be read is deleted all the same, and is not in the log: it was reported where it was met. */
export async function readableDeletion(
  { operations }: ZoneContents,
  db: Reader,
  zoneId: string,
): Promise<readonly ChangeOp[]> {
  return (await unlessUnreadable(operations(db, zoneId))) ?? [] // none that can be logged
}

/** Undefined where a stored row cannot be read. */
export async function unlessUnreadable<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (failure) {
    const isUnreadable =
      failure instanceof DomainError && failure.issues[0].reason === 'storage.unreadable_row'
    if (isUnreadable) return undefined
    throw failure
  }
}
