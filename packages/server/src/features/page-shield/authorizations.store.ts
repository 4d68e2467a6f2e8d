// Rows of authorisations. They outlive the scripts they are about, so that a script that comes back has its own again.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

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
  /** Of the content's structure that was authorised; null = none was known. */
  readonly hash: string | null
  /** SHA-256 of its octets; null = none was known, or it was authorised before this was kept. */
  readonly contentSha256: string | null
}

export async function findAuthorization(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<Authorization | undefined> {
  const row = await db.first(ofZone(zoneId).where('script_id', '=', scriptId))
  return row && fromRow(row)
}

export async function authorizationsOf(db: Reader, zoneId: string): Promise<readonly Authorization[]> {
  return (await db.all(ofZone(zoneId).orderBy('script_id'))).map(fromRow)
}

export async function saveAuthorization(tx: Transaction, authorization: Authorization): Promise<void> {
  const { zone_id, script_id, ...columns } = toRow(authorization)
  await tx.run(
    query
      .insertInto('page_shield_authorizations')
      .values({ zone_id, script_id, ...columns })
      .onConflict((conflict) => conflict.columns(['zone_id', 'script_id']).doUpdateSet(columns)),
  )
}

export async function deleteAuthorization(tx: Transaction, zoneId: string, scriptId: string): Promise<void> {
  const own = query.deleteFrom('page_shield_authorizations').where('zone_id', '=', zoneId)
  await tx.run(own.where('script_id', '=', scriptId))
}

const ofZone = (zoneId: string) =>
  query.selectFrom('page_shield_authorizations').selectAll().where('zone_id', '=', zoneId)

const fromRow = (row: Database['page_shield_authorizations']): Authorization => ({
  zoneId: row.zone_id,
  scriptId: row.script_id,
  url: row.url,
  host: row.host,
  owner: row.owner,
  justification: row.justification,
  authorizedBy: row.authorized_by,
  authorizedAt: row.authorized_at,
  expiresAt: row.expires_at,
  hash: row.hash,
  contentSha256: row.content_sha256,
})

const toRow = (authorization: Authorization): Database['page_shield_authorizations'] => ({
  zone_id: authorization.zoneId,
  script_id: authorization.scriptId,
  url: authorization.url,
  host: authorization.host,
  owner: authorization.owner,
  justification: authorization.justification,
  authorized_by: authorization.authorizedBy,
  authorized_at: authorization.authorizedAt,
  expires_at: authorization.expiresAt,
  hash: authorization.hash,
  content_sha256: authorization.contentSha256,
})
