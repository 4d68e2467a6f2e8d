// Rows of zones with outgoing transfers.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface Outgoing {
  readonly zoneId: string
  /** In the order given. */
  readonly peerIds: readonly string[]
  readonly isEnabled: boolean
  readonly createdOn: string
  /** When a peer last queried the serial, and when it last got the zone; null = never. */
  readonly checkedOn: string | null
  readonly transferredOn: string | null
}

const transfers = tables.outgoing_transfers.of<Outgoing>()

export const findOutgoing = (db: Reader, zoneId: string): Promise<Outgoing | undefined> =>
  transfers.find(db, { zoneId })

/** Of an account, or of all. */
export async function allOutgoing(
  db: Reader,
  accountId?: string,
): Promise<(Outgoing & { accountId: string })[]> {
  const all = query
    .selectFrom('outgoing_transfers')
    .innerJoin('zones', 'zones.id', 'outgoing_transfers.zone_id')
    .selectAll('outgoing_transfers')
    .select('zones.account_id')
    .orderBy('zones.name')
  const rows = accountId === undefined ? all : all.where('zones.account_id', '=', accountId)
  return transfers.readable(db, rows, (outgoing, row) => ({ ...outgoing, accountId: row.account_id }))
}

export const saveOutgoing = (tx: Transaction, outgoing: Outgoing): Promise<void> =>
  transfers.save(tx, outgoing)

/** Stores the times of peers; null keeps the stored one. */
export async function saveSeen(
  tx: Transaction,
  zoneId: string,
  { checkedOn, transferredOn }: Pick<Outgoing, 'checkedOn' | 'transferredOn'>,
): Promise<void> {
  await transfers.update(tx, {
    zoneId,
    ...(checkedOn === null ? {} : { checkedOn }),
    ...(transferredOn === null ? {} : { transferredOn }),
  })
}

export const deleteOutgoing = (tx: Transaction, zoneId: string): Promise<number> =>
  transfers.remove(tx, { zoneId })
