// Rows of authorizations. They outlive their scripts, so that a script that returns is still authorized.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface Authorization {
  readonly zoneId: string
  readonly scriptId: string
  readonly url: string
  readonly host: string
  readonly owner: string
  readonly justification: string
  readonly authorizedBy: string
  readonly authorizedAt: string
  /** null = never. */
  readonly expiresAt: string | null
  /** Structure hash of the authorized content; null = unknown. */
  readonly hash: string | null
  /** SHA-256 of its bytes; null = unknown, or authorized before digests were stored. */
  readonly contentSha256: string | null
}

const authorizations = tables.page_shield_authorizations.of<Authorization>()

export const findAuthorization = (
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<Authorization | undefined> => authorizations.find(db, { zoneId, scriptId })

export async function authorizationsOf(db: Reader, zoneId: string): Promise<readonly Authorization[]> {
  const own = query.selectFrom('page_shield_authorizations').selectAll().where('zone_id', '=', zoneId)
  return authorizations.all(db, own.orderBy('script_id'))
}

export const saveAuthorization = (tx: Transaction, authorization: Authorization): Promise<void> =>
  authorizations.save(tx, authorization)

export const deleteAuthorization = (tx: Transaction, zoneId: string, scriptId: string): Promise<number> =>
  authorizations.remove(tx, { zoneId, scriptId })

export const deleteAuthorizations = (tx: Transaction, zoneId: string): Promise<number> =>
  authorizations.remove(tx, { zoneId })
