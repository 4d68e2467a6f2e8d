// Statistics from which SQLite chooses its indexes.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { rawQuery } from './engine.ts'
import { sql } from './query.ts'
import { openSqlite } from './sqlite-driver.ts'
import { openSqliteStorage } from './sqlite.ts'

const ofZone = `SELECT id, name, type, ttl, rdata FROM dns_records WHERE zone_id = '7'`

/** Of the index: how many rows it has, how many of them belong to one zone, and so on. */
test.each([
  ['as they are', 'many zones', 5, expect.stringMatching(/^10005 5 /)],
  // Exact ones, 5003 of a zone, would take the time to read the whole index, before anything is answered.
  ['estimated from some rows', 'one large zone', 10_000, expect.not.stringMatching(/^(5|\d+ 5003) /)],
])(
  'those of a small database do not mislead after a kill, when it has grown: %s, of %s',
  async (_, __, recordsPerZone, stat) => {
    const path = join(scratchFolder(), 'zonereeve.db')
    const storage = await openSqliteStorage(path, silentLog)
    await storage.write((tx) => tx.run(rawQuery(sql.raw(insertRecords(5, 5)))))
    await storage.close()
    const grown = await openSqlite(path)
    // A server that is killed does not renew them.
    grown.exec(insertRecords(10_000, recordsPerZone))
    grown.close()
    const again = await openSqliteStorage(path, silentLog)
    const plan = await again.all(
      rawQuery<{ readonly detail: string }>(sql.raw(`EXPLAIN QUERY PLAN ${ofZone}`)),
    )
    const statistics = await again.all(
      rawQuery<{ readonly stat: string }>(
        sql`SELECT stat FROM sqlite_stat1 WHERE idx = 'dns_records_by_name'`,
      ),
    )
    await again.close()
    expect(statistics).toEqual([{ stat }])
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH dns_records USING INDEX/),
    ])
  },
)

const insertRecords = (count: number, perZone: number): string =>
  `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
  INSERT INTO dns_records (id, zone_id, name, type, content, content_search, identity, rdata, ttl, proxied, settings,
    comment_search, tags_search, created_on, modified_on, stored_body)
  SELECT '${count} ' || n, '${count} ' || (n / ${perZone}), n || '.example', 'A', '', '', '', x'00', 1, 0, '{}', '', '', '', '', '{}'
  FROM numbers`
