// Where lists are looked for: in the rules of an account and of all its zones, or of one zone.
import { query } from '@zonereeve/storage'

export interface ListScope {
  readonly accountId: string
  /** undefined: all zones of the account. */
  readonly zoneId?: string
}

/** The IDs of the zones, as a query. */
export function zonesIn({ accountId, zoneId }: ListScope) {
  const own = query.selectFrom('zones').select('id').where('account_id', '=', accountId)
  return zoneId === undefined ? own : own.where('id', '=', zoneId)
}
