// Very many zones in a moment: rows in the database of a program that does not run.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { createApi } from '../browsers/api.ts'
import { startServer } from '../program.ts'

/** As long as the names of the clones, because rows have the length of their zone's name. */
const TEMPLATE_LABEL = 'template'

/**
 * Creates a database with zones `<prefix>000000.example` and so on, each like one that the API has created.
 * @param folder Of a database that does not exist yet.
 * @param records A records of each zone: host-0, host-1 … Then `prefix` must have two characters.
 * @param nameServerSets each zone gets one of them by its number; otherwise, all have those of new zones.
 */
export async function createManyZones(
  launcher: string,
  folder: string,
  {
    count,
    prefix,
    records = 0,
    nameServerSets = [],
  }: {
    readonly count: number
    readonly prefix: string
    readonly records?: number
    readonly nameServerSets?: readonly (readonly string[])[]
  },
): Promise<void> {
  const program = await startServer(launcher, folder)
  const api = createApi(program)
  const template = await api.post<{ id: string }>('/zones', { name: `${TEMPLATE_LABEL}.example` })
  for (let i = 0; i < records; i += 1)
    await api.post(`/zones/${template.id}/dns_records`, {
      type: 'A',
      name: `host-${i}`,
      content: '192.0.2.1',
    })
  await program.stop()
  const database = new DatabaseSync(join(folder, 'zonereeve.db'))
  const clone = (table: string, own: Readonly<Record<string, string>>, of: string): void => {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)') // without computed columns
      .all(table)
      .map((row) => String(row['name']))
    database
      .prepare(
        `WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?),
        clones (number, cloned) AS (SELECT number, ? || substr('00000' || number, -6) FROM numbers)
      INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${columns.map((column) => own[column] ?? column).join(', ')}
      FROM clones, (SELECT *, row_number() OVER () AS position FROM ${table} WHERE ${of} = ?)`,
      )
      .run(count, prefix, template.id)
  }
  const zoneId = `format('%032x', number)`
  const zoneName = `cloned || '.example'`
  database.exec('BEGIN')
  clone('zones', { id: zoneId, name: zoneName, display_name: zoneName }, 'id')
  if (records > 0) {
    const name = `replace(name, '${TEMPLATE_LABEL}', cloned)`
    // Rows of versions without checksums have none.
    const unchecked = { served_checksum: 'NULL', body_checksum: 'NULL' }
    clone(
      'dns_records',
      { id: `format('%032x', number * ${records} + position)`, zone_id: zoneId, name, ...unchecked },
      'zone_id',
    )
    clone('record_counts', { zone_id: zoneId }, 'zone_id')
  }
  const assign = database.prepare('UPDATE zones SET name_servers = ? WHERE substr(name, 3, 6) % ? = ?')
  for (const [at, names] of nameServerSets.entries())
    assign.run(JSON.stringify(names), nameServerSets.length, at)
  database.exec('COMMIT')
  database.close()
}
