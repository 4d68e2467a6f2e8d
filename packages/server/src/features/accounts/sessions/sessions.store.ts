// Rows of sessions.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface Session {
  readonly id: string
  readonly userId: string
  /** How the user signed in. */
  readonly methods: readonly string[]
  /** Address and browser at sign-in. */
  readonly address: string
  readonly userAgent: string | null
  readonly createdOn: string
  /** When the user last proved who they are. */
  readonly authenticatedOn: string
  readonly lastUsedOn: string
  readonly expiresOn: string
}

const sessions = tables.sessions.beside('value_hash').of<Session>()

/** A session that cannot be read grants no access. */
export async function findSessionByHash(db: Reader, valueHash: string): Promise<Session | undefined> {
  const rows = query.selectFrom('sessions').selectAll().where('value_hash', '=', valueHash)
  return (await sessions.readable(db, rows))[0]
}

export const findSession = (db: Reader, userId: string, id: string): Promise<Session | undefined> =>
  sessions.first(
    db,
    query.selectFrom('sessions').selectAll().where('id', '=', id).where('user_id', '=', userId),
  )

export const listSessions = (db: Reader, userId: string): Promise<Session[]> =>
  sessions.readable(
    db,
    query
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_on')
      .orderBy('id'),
  )

export const insertSession = (tx: Transaction, session: Session, valueHash: string): Promise<void> =>
  sessions.insert(tx, { ...session, valueHash })

export const updateSession = (tx: Transaction, session: Session, valueHash: string): Promise<void> =>
  sessions.update(tx, { ...session, valueHash })

export const touchSession = (tx: Transaction, id: string, at: string): Promise<void> =>
  sessions.update(tx, { id, lastUsedOn: at })

export const deleteSession = (tx: Transaction, id: string): Promise<number> => sessions.remove(tx, { id })

/** Times are compared as strings: all have the same form. */
export async function deleteEndedSessions(tx: Transaction, now: string, idleSince: string): Promise<void> {
  await tx.run(
    query
      .deleteFrom('sessions')
      .where((where) => where.or([where('expires_on', '<=', now), where('last_used_on', '<=', idleSince)])),
  )
}
