// Very many zones in a moment: rows in the database of a program that does not run.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { createApi } from '../browsers/api.ts'
import { startServer } from '../program.ts'

/**
 * Creates a database with zones `<prefix>000000.example` and so on, each like one that the API has created.
 * @param folder Of a database that does not exist yet.
 */
export async function createManyZones(
  launcher: string,
  folder: string,
  { count, prefix }: { readonly count: number; readonly prefix: string },
): Promise<void> {
  const program = await startServer(launcher, folder)
  const template = await createApi(program).post<{ id: string }>('/zones', { name: 'template.example' })
  await program.stop()
  const database = new DatabaseSync(join(folder, 'zonereeve.db'))
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('zones')
    .map((row) => String(row['name']))
  const own: Readonly<Record<string, string>> = {
    id: 'lower(hex(randomblob(16)))',
    name: 'cloned',
    display_name: 'cloned',
  }
  database
    .prepare(
      `WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?),
        names (cloned) AS (SELECT ? || substr('00000' || number, -6) || '.example' FROM numbers)
      INSERT INTO zones (${columns.join(', ')})
      SELECT ${columns.map((column) => own[column] ?? column).join(', ')}
      FROM names, (SELECT * FROM zones WHERE id = ?)`,
    )
    .run(count, prefix, template.id)
  database.close()
}
