// Entries of feeds. They stay in the database: none are held in memory, so a feed may have millions. The entries of an
// import carry its number: they can be written in chunks before they count, and deleted in chunks afterwards.
import { oneRow, prepare, query, type Reader, sql, tables, type Transaction } from '@zonereeve/storage'
import { THREAT_CATEGORIES, type ThreatCategory } from '../page-shield/index.ts'
import type { Feed } from './threat-feeds.store.ts'

export interface Entry {
  /** As made by `matching.rules.ts`. */
  readonly key: string
  readonly categories: readonly ThreatCategory[]
}

/** Keys looked up per query. */
const KEYS_PER_QUERY = 64

export async function beginImport(tx: Transaction, feedId: string): Promise<number> {
  return (await oneRow(tx, query.insertInto('threat_imports').values({ feed_id: feedId }).returning('id'))).id
}

const insertion = prepare((entry: { importId: number; key: string; categories: number }) =>
  query
    .insertInto('threat_entries')
    .values({ import_id: entry.importId, key: entry.key, categories: entry.categories })
    .onConflict((conflict) =>
      conflict
        .columns(['import_id', 'key'])
        .doUpdateSet({ categories: sql<number>`threat_entries.categories | excluded.categories` }),
    ),
)

/** An entry listed twice in an import gets the categories of both. */
export async function insertEntries(
  tx: Transaction,
  importId: number,
  entries: readonly Entry[],
): Promise<void> {
  for (const { key, categories } of entries) {
    await tx.run(insertion({ importId, key, categories: bitsOf(categories) }))
    await tx.yieldIfDue()
  }
}

const chunk = prepare(({ importId, limit }: { importId: number; limit: number }) => {
  const keys = query.selectFrom('threat_entries').select('key').where('import_id', '=', importId)
  return query
    .deleteFrom('threat_entries')
    .where('import_id', '=', importId)
    .where('key', 'in', keys.orderBy('key').limit(limit))
})

/**
 * Deletes up to `limit` entries of an import.
 * @returns how many.
 */
export function deleteEntries(tx: Transaction, importId: number, limit: number): Promise<number> {
  return tx.run(chunk({ importId, limit }))
}

export async function endImport(tx: Transaction, importId: number): Promise<void> {
  await tx.run(query.deleteFrom('threat_imports').where('id', '=', importId))
}

/** Imports that belong to no feed, or no longer do. */
export async function unusedImports(db: Reader): Promise<readonly number[]> {
  const rows = await db.all(
    query
      .selectFrom('threat_imports')
      .select('id')
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('threat_feeds')
              .select('threat_feeds.id')
              .where(({ eb, or }) =>
                or([
                  eb('threat_feeds.import_id', '=', eb.ref('threat_imports.id')),
                  eb('threat_feeds.held_id', '=', eb.ref('threat_imports.id')),
                ]),
              ),
          ),
        ),
      )
      .orderBy('id'),
  )
  return rows.map(({ id }) => id)
}

const lookup = prepare(
  ({ keys }: { keys: readonly string[] }) =>
    query
      .selectFrom('threat_entries')
      .innerJoin('threat_feeds', 'threat_feeds.import_id', 'threat_entries.import_id')
      .select(['threat_entries.key', 'threat_entries.categories as bits'])
      .select(['threat_feeds.id', 'threat_feeds.categories'])
      .where('threat_feeds.is_enabled', '=', 1)
      .where('threat_entries.key', 'in', keys),
  { keys: KEYS_PER_QUERY },
)

const feedCategories = tables.threat_feeds.only('categories').of<Pick<Feed, 'categories'>>()

export interface Match extends Entry {
  readonly feedId: string
}

/** What the feeds currently list for any of the keys. */
export async function findMatches(db: Reader, keys: readonly string[]): Promise<readonly Match[]> {
  const matches: Match[] = []
  for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
    const found = lookup({ keys: keys.slice(at, at + KEYS_PER_QUERY) })
    matches.push(
      // A feed that cannot be read flags nothing, like one that is turned off.
      ...(await feedCategories.readable(db, found, ({ categories }, { key, bits, id }) => ({
        key,
        // Entries without categories have those of the feed as it is now: they may have changed since the import.
        categories: categories ?? THREAT_CATEGORIES.filter((_, index) => (bits & (1 << index)) !== 0),
        feedId: id,
      }))),
    )
  }
  return matches
}

/** One bit per category, in catalog order. */
const bitsOf = (categories: readonly ThreatCategory[]): number =>
  categories.reduce((bits, category) => bits | (1 << THREAT_CATEGORIES.indexOf(category)), 0)
