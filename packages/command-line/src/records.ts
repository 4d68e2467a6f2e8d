// Commands for the records of a zone.
import type { Command } from 'commander'
import type { Api } from './api.ts'
import type { OutputRow } from './output.ts'
import { addRecordFileCommands } from './record-files.ts'
import { client, members, PER_PAGE, pick, result, run, write, withWriteOptions } from './verb.ts'

const COLUMNS = ['type', 'name', 'content', 'priority', 'ttl', 'proxied', 'comment', 'id']

export function addRecordCommands(program: Command): void {
  const records = program.command('records').description('list and edit the records of a zone')
  addReading(records)
  addWriting(records)
  addRecordFileCommands(records)
}

function addReading(records: Command): void {
  client(records.command('list <zone>'))
    .option('--type <type>', 'only records of this type')
    .option('--name <name>', 'only records with this name')
    .option('--search <text>', 'only records that contain this text')
    .description('list records')
    .action(
      run(async (api, [zone = ''], print, options) => {
        const desired = ['type', 'name', 'search'].flatMap((key) =>
          typeof options[key] === 'string' ? [`${key}=${encodeURIComponent(options[key])}`] : [],
        )
        print(
          await api.all<OutputRow>(`${await recordsPath(api, zone)}?${desired.join('&')}`, PER_PAGE),
          COLUMNS,
        )
      }),
    )
  client(records.command('get <zone> <id>'))
    .description('show a record')
    .action(
      run(async (api, [zone = '', id = ''], print) =>
        print([await result(api, 'GET', await recordPath(api, zone, id))], COLUMNS),
      ),
    )
}

function addWriting(records: Command): void {
  withWriteOptions(client(records.command('create <zone> <type> <name> [content]')))
    .description('create a record')
    .action(
      run(async (api, [zone = '', type, name, content], print, options) =>
        print(
          [
            await write(
              api,
              'POST',
              await recordsPath(api, zone),
              { type, name, content, ...members(options) },
              options,
            ),
          ],
          COLUMNS,
        ),
      ),
    )
  withWriteOptions(client(records.command('update <zone> <id>')))
    .option('--name <name>', 'new name')
    .option('--content <content>', 'new content')
    .description('edit a record; omitted fields do not change')
    .action(
      run(async (api, [zone = '', id = ''], print, options) =>
        print(
          [
            await write(
              api,
              'PATCH',
              await recordPath(api, zone, id),
              { ...members(options), ...pick(options, ['name', 'content']) },
              options,
            ),
          ],
          COLUMNS,
        ),
      ),
    )
  client(records.command('delete <zone> <id>'))
    .option('--dry-run', 'show what would change')
    .description('delete a record')
    .action(
      run(async (api, [zone = '', id = ''], print, options) =>
        print([await write(api, 'DELETE', await recordPath(api, zone, id), undefined, options)], ['id']),
      ),
    )
}

const recordsPath = async (api: Api, zone: string): Promise<string> =>
  `/zones/${await api.zoneId(zone)}/dns_records`

const recordPath = async (api: Api, zone: string, id: string): Promise<string> =>
  `${await recordsPath(api, zone)}/${encodeURIComponent(id)}`
