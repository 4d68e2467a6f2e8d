// Rows of code without a URL of its own.
import { countRows, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { CodeKind } from './code.rules.ts'
import type { Cutoffs } from './life-cycle.rules.ts'

export interface StoredCode {
  readonly id: string
  readonly zoneId: string
  readonly kind: CodeKind
  /** Host of the pages. */
  readonly host: string
  /** '' if browsers report none. */
  readonly sample: string
  readonly sampleSha256: string | null
  /** The file that it was last seen in or run by; '' if unknown. */
  readonly sourceUrl: string
  /** In that file, from 1; null if unknown. */
  readonly line: number | null
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly pageViews: number
  readonly firstPageUrl: string
  /** The last ten, newest first. */
  readonly pageUrls: readonly string[]
}

const rows = tables.page_shield_code.of<StoredCode>()

export const findCode = (db: Reader, id: string): Promise<StoredCode | undefined> => rows.find(db, { id })

export const saveCode = (tx: Transaction, code: StoredCode): Promise<void> => rows.save(tx, code)

export const countCode = (db: Reader, zoneId: string): Promise<number> => rows.count(db, { zoneId })

/** Deletes infrequent code, least recently seen first. @returns how much. */
export function deleteInfrequentCode(
  tx: Transaction,
  zoneId: string,
  activePageViews: number,
  limit: number,
): Promise<number> {
  const infrequent = query
    .selectFrom('page_shield_code')
    .select('id')
    .where('zone_id', '=', zoneId)
    .where('page_views', '<', activePageViews)
    .orderBy('last_seen_at')
    .limit(limit)
  return tx.run(query.deleteFrom('page_shield_code').where('id', 'in', infrequent))
}

export interface CodeQuery {
  readonly kind: CodeKind | undefined
  readonly offset: number
  readonly limit: number
}

/** What is not past retention, last seen first; and how much there is. */
export async function listCode(
  db: Reader,
  zoneId: string,
  cutoffs: Cutoffs,
  { kind, offset, limit }: CodeQuery,
): Promise<{ readonly items: readonly StoredCode[]; readonly totalCount: number }> {
  let own = query
    .selectFrom('page_shield_code')
    .where('zone_id', '=', zoneId)
    .where('last_seen_at', '>=', cutoffs.forgottenBefore)
    .where(({ eb, or }) =>
      or([
        eb('page_views', '>=', cutoffs.activePageViews),
        eb('last_seen_at', '>=', cutoffs.infrequentForgottenBefore),
      ]),
    )
  if (kind !== undefined) own = own.where('kind', '=', kind)
  const page = own.selectAll().orderBy('last_seen_at', 'desc').orderBy('id').offset(offset).limit(limit)
  return { items: await rows.readable(db, page), totalCount: await countRows(db, own) }
}

/** Deletes a chunk of what is past retention. */
export function deleteForgottenCode(
  tx: Transaction,
  zoneId: string,
  { activePageViews, infrequentForgottenBefore, forgottenBefore }: Cutoffs,
  limit: number,
): Promise<number> {
  const forgotten = query
    .selectFrom('page_shield_code')
    .select('id')
    .where('zone_id', '=', zoneId)
    .where(({ eb, or, and }) =>
      or([
        eb('last_seen_at', '<', forgottenBefore),
        and([eb('page_views', '<', activePageViews), eb('last_seen_at', '<', infrequentForgottenBefore)]),
      ]),
    )
    .limit(limit)
  return tx.run(query.deleteFrom('page_shield_code').where('id', 'in', forgotten))
}
