// The schema: created from scratch, kept on reopening, and rejected if a newer program created it.
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/registry.ts'
import { query } from './query.ts'
import { openSqliteStorage } from './sqlite.ts'
import { openSqlite } from './sqlite-driver.ts'

const newest = MIGRATIONS.at(-1)?.version ?? 0

async function inspect<T>(path: string, read: (run: (sql: string) => unknown[]) => T): Promise<T> {
  const connection = await openSqlite(path)
  try {
    return read((sql) => connection.prepare(sql).all())
  } finally {
    connection.close()
  }
}

describe('migrations', () => {
  test('are in order, each with a unique number and name', () => {
    const versions = MIGRATIONS.map(({ version }) => version)
    expect(versions.length).toBeGreaterThan(0)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
    expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length)
  })

  test('create the newest schema in an empty folder, readable only by its owner', async () => {
    const path = join(scratchFolder(), 'new', 'folder', 'zonereeve.db')
    const storage = await openSqliteStorage(path, silentLog)
    await storage.close()
    expect(existsSync(path)).toBe(true)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    const versions = await inspect(path, (run) =>
      run('SELECT version, name FROM schema_migrations ORDER BY version'),
    )
    expect(versions).toEqual(MIGRATIONS.map(({ version, name }) => ({ version, name })))
  })

  test('make every database of a process alike, and each with an identity of its own', async () => {
    const describeAll = (run: (sql: string) => unknown[]) => {
      const schema = run('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name') as {
        type: string
        name: string
      }[]
      const tables = schema.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
      const rows = tables.map(({ name }) => [name, run(`SELECT * FROM ${name}`)] as const)
      return { schema, rows: new Map(rows) }
    }
    const made = []
    for (let number = 0; number < 3; number += 1) {
      const path = join(scratchFolder(), 'zonereeve.db')
      const connection = await openSqlite(path)
      // The first has its migrations applied one by one, as a database of an older version.
      if (number === 0) {
        connection.exec(
          'CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT',
        )
        connection.exec("INSERT INTO schema_migrations VALUES (0, 'so that it is not new')")
      }
      migrate(connection)
      connection.exec('DELETE FROM schema_migrations WHERE version = 0')
      connection.close()
      made.push(await inspect(path, describeAll))
    }
    const identities = new Set(made.map(({ rows }) => JSON.stringify(rows.get('database_identity'))))
    expect(identities.size).toBe(made.length)
    for (const { rows } of made) rows.delete('database_identity')
    const [oneByOne, ...others] = made
    for (const other of others) expect(other).toEqual(oneByOne)
  })

  test('a reopened database keeps its contents, and runs no migration twice', async () => {
    const path = join(scratchFolder(), 'zonereeve.db')
    await (await openSqliteStorage(path, silentLog)).close()
    const before = await inspect(path, (run) => run('SELECT * FROM schema_migrations'))
    const storage = await openSqliteStorage(path, silentLog)
    await storage.write((tx) => tx.run(query.insertInto('settings').values({ name: 'kept', value: 'yes' })))
    await storage.close()
    const again = await openSqliteStorage(path, silentLog)
    expect(await again.all(query.selectFrom('settings').selectAll())).toEqual([
      { name: 'kept', value: 'yes' },
    ])
    await again.close()
    expect(await inspect(path, (run) => run('SELECT * FROM schema_migrations'))).toEqual(before)
  })

  test('a schema of a newer program is rejected, and stays unchanged', async () => {
    const path = join(scratchFolder(), 'zonereeve.db')
    await (await openSqliteStorage(path, silentLog)).close()
    await inspect(path, (run) => run(`INSERT INTO schema_migrations VALUES (${newest + 1}, 'of the future')`))
    await expect(openSqliteStorage(path, silentLog)).rejects.toThrow(
      `the database has schema ${newest + 1}, but this version supports only ${newest}`,
    )
    const versions = await inspect(path, (run) =>
      run('SELECT max(version) AS version FROM schema_migrations'),
    )
    expect(versions).toEqual([{ version: newest + 1 }])
  })

  test('the last serials of zones deleted before the table existed are taken from the change log', async () => {
    const path = join(scratchFolder(), 'zonereeve.db')
    await (await openSqliteStorage(path, silentLog)).close()
    const deletion = (position: number, serial: number) =>
      `(${position}, 0, 'zone.delete', 'z', '{"name":"example.com","serial":${serial}}', NULL)`
    await inspect(path, (run) => {
      run('DROP TABLE zone_serials')
      run('DELETE FROM schema_migrations WHERE version = 3')
      run(
        `INSERT INTO change_ops (position, ordinal, kind, object_id, "before", "after") VALUES ${deletion(7, 20)}, ${deletion(3, 30)}`,
      )
    })
    await (await openSqliteStorage(path, silentLog)).close()
    expect(await inspect(path, (run) => run('SELECT * FROM zone_serials'))).toEqual([
      { name: 'example.com', serial: 20 },
    ])
  })

  test('a missing migration is applied, even if newer ones already were', async () => {
    const path = join(scratchFolder(), 'zonereeve.db')
    await (await openSqliteStorage(path, silentLog)).close()
    await inspect(path, (run) => {
      run('ALTER TABLE zones DROP COLUMN vanity_name_servers')
      for (const table of ['zone_dns_settings', 'account_dns_settings', 'zone_settings'])
        run(`DROP TABLE ${table}`)
      run('DELETE FROM schema_migrations WHERE version = 2')
    })
    await (await openSqliteStorage(path, silentLog)).close()
    expect(await inspect(path, (run) => run('SELECT * FROM zone_settings'))).toEqual([])
    expect(
      await inspect(path, (run) => run('SELECT version FROM schema_migrations ORDER BY version')),
    ).toEqual(MIGRATIONS.map(({ version }) => ({ version })))
  })

  test('a file that is not a database is rejected', async () => {
    const path = join(scratchFolder(), 'zonereeve.db')
    writeFileSync(path, 'not a database, but long enough to be taken for one '.repeat(100))
    await expect(openSqliteStorage(path, silentLog)).rejects.toThrow(
      `database ${path}: file is not a database`,
    )
  })

  // File modes do not restrict the superuser.
  test.skipIf(process.getuid?.() === 0)(
    'a read-only database is rejected [needs a user who is not root]',
    async () => {
      const path = join(scratchFolder(), 'zonereeve.db')
      await (await openSqliteStorage(path, silentLog)).close()
      chmodSync(path, 0o444)
      await expect(openSqliteStorage(path, silentLog)).rejects.toThrow(
        `database ${path}: attempt to write a readonly database`,
      )
    },
  )

  test('a file database has a WAL, so that readers do not wait for the writer', async () => {
    const path = join(scratchFolder(), 'zonereeve.db')
    const storage = await openSqliteStorage(path, silentLog)
    expect(await inspect(path, (run) => run('PRAGMA journal_mode'))).toEqual([{ journal_mode: 'wal' }])
    await storage.close()
  })
})
