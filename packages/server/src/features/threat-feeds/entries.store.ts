// Entries of feeds. They stay in the database, a million of them as well as ten: nothing is held in memory. Each import
// has a number, and its entries stand together, so that they can be written and deleted in portions, before they count
// and after they have ceased to.
import { query, sql, template, type Reader, type Transaction } from '../../storage/index.ts'
import { THREAT_CATEGORIES, type ThreatCategory } from '../page-shield/index.ts'

export interface Entry {
  /** As `matching.rules.ts` makes them. */
  readonly key: string
  readonly categories: readonly ThreatCategory[]
}

/** Between them, everybody else has a turn. */
const ENTRIES_BETWEEN_PAUSES = 256
/** Keys looked up with one query. */
const KEYS_AT_ONCE = 64
const NOTHING = ''

export async function beginImport(tx: Transaction, feedId: string): Promise<number> {
  const row = await tx.first(query.insertInto('threat_imports').values({ feed_id: feedId }).returning('id'))
  if (row === undefined) throw new Error('an import got no number')
  return row.id
}

const insertion = template(
  query
    .insertInto('threat_entries')
    .values({ import_id: 0, key: NOTHING, categories: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['import_id', 'key'])
        .doUpdateSet({ categories: sql<number>`threat_entries.categories | excluded.categories` }),
    ),
)

/** What an import says twice of the same, it says of both kinds. */
export async function insertEntries(
  tx: Transaction,
  importId: number,
  entries: readonly Entry[],
): Promise<void> {
  for (const [index, { key, categories }] of entries.entries()) {
    await tx.run(insertion([importId, key, bitsOf(categories)]))
    if (index % ENTRIES_BETWEEN_PAUSES === ENTRIES_BETWEEN_PAUSES - 1) await tx.pause()
  }
}

const portion = template(
  query
    .deleteFrom('threat_entries')
    .where('import_id', '=', 0)
    .where(
      'key',
      'in',
      query.selectFrom('threat_entries').select('key').where('import_id', '=', 0).orderBy('key').limit(1),
    ),
)

/** Deletes up to `limit` entries of an import. @returns how many. */
export function deleteEntries(tx: Transaction, importId: number, limit: number): Promise<number> {
  return tx.run(portion([importId, importId, limit]))
}

export async function endImport(tx: Transaction, importId: number): Promise<void> {
  await tx.run(query.deleteFrom('threat_imports').where('id', '=', importId))
}

/** Imports that no feed has, or not any more. */
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

const lookup = template(
  query
    .selectFrom('threat_entries')
    .innerJoin('threat_feeds', 'threat_feeds.import_id', 'threat_entries.import_id')
    .select([
      'threat_entries.key',
      'threat_entries.categories',
      'threat_feeds.id as feed_id',
      'threat_feeds.categories as feed_categories',
    ])
    .where('threat_feeds.is_enabled', '=', 1)
    .where(
      'threat_entries.key',
      'in',
      Array.from({ length: KEYS_AT_ONCE }, () => NOTHING),
    ),
)

export interface Match extends Entry {
  readonly feedId: string
}

/** What feeds say now of any of the keys. */
export async function findMatches(db: Reader, keys: readonly string[]): Promise<readonly Match[]> {
  const matches: Match[] = []
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const part = Array.from({ length: KEYS_AT_ONCE }, (_, index) => keys[at + index] ?? NOTHING)
    for (const row of await db.all(lookup([1, ...part])))
      matches.push({ key: row.key, categories: categoriesOf(row), feedId: row.feed_id })
  }
  return matches
}

/** One bit for each category, in their order. */
const bitsOf = (categories: readonly ThreatCategory[]): number =>
  categories.reduce((bits, category) => bits | (1 << THREAT_CATEGORIES.indexOf(category)), 0)

interface Categorised {
  readonly categories: number
  readonly feed_categories: string | null
}

/** Those of the feed as it is now, where its entries have none of their own: they may be others since the import. */
const categoriesOf = ({ categories, feed_categories: ofFeed }: Categorised): readonly ThreatCategory[] =>
  ofFeed === null
    ? THREAT_CATEGORIES.filter((_, index) => (categories & (1 << index)) !== 0)
    : (JSON.parse(ofFeed) as ThreatCategory[]) // as threat-feeds.store.ts wrote it
