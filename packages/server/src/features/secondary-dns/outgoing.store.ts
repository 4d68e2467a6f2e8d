// Rows of zones that other nameservers get.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

export interface Outgoing {
  readonly zoneId: string
  /** In the order given. */
  readonly peerIds: readonly string[]
  readonly isEnabled: boolean
  readonly createdOn: string
  /** When a peer last asked for the serial, and when it last got the zone; null = never. */
  readonly checkedOn: string | null
  readonly transferredOn: string | null
}

export async function findOutgoing(db: Reader, zoneId: string): Promise<Outgoing | undefined> {
  const row = await db.first(query.selectFrom('outgoing_transfers').selectAll().where('zone_id', '=', zoneId))
  return row && fromRow(row)
}

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
  const rows = await db.all(accountId === undefined ? all : all.where('zones.account_id', '=', accountId))
  return rows.map((row) => ({ ...fromRow(row), accountId: row.account_id }))
}

export async function saveOutgoing(tx: Transaction, outgoing: Outgoing): Promise<void> {
  const columns = {
    peers: JSON.stringify(outgoing.peerIds),
    enabled: outgoing.isEnabled ? 1 : 0,
    created_on: outgoing.createdOn,
    checked_on: outgoing.checkedOn,
    transferred_on: outgoing.transferredOn,
  }
  await tx.run(
    query
      .insertInto('outgoing_transfers')
      .values({ zone_id: outgoing.zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

/** Keeps when peers last came; what is null stays as it was. */
export async function saveSeen(
  tx: Transaction,
  zoneId: string,
  { checkedOn, transferredOn }: Pick<Outgoing, 'checkedOn' | 'transferredOn'>,
): Promise<void> {
  const columns = {
    ...(checkedOn === null ? {} : { checked_on: checkedOn }),
    ...(transferredOn === null ? {} : { transferred_on: transferredOn }),
  }
  await tx.run(query.updateTable('outgoing_transfers').set(columns).where('zone_id', '=', zoneId))
}

export async function deleteOutgoing(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('outgoing_transfers').where('zone_id', '=', zoneId))
}

const fromRow = (row: Database['outgoing_transfers']): Outgoing => ({
  zoneId: row.zone_id,
  peerIds: JSON.parse(row.peers),
  isEnabled: row.enabled === 1,
  createdOn: row.created_on,
  checkedOn: row.checked_on,
  transferredOn: row.transferred_on,
})
