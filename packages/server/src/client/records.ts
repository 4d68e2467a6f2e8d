// Commands for the records of a zone.
import type { Command } from 'commander'
import type { Row } from './output.ts'
import { addRecordFileCommands } from './record-files.ts'
import { inZone, members, PER_PAGE, pick, recordsPath, result, run, write, written } from './verb.ts'

const COLUMNS = ['type', 'name', 'content', 'priority', 'ttl', 'proxied', 'comment', 'id']

export function addRecordCommands(program: Command): void {
  const records = program.command('records').description('records of a zone')
  addReading(records)
  addWriting(records)
  addRecordFileCommands(records)
}

function addReading(records: Command): void {
  inZone(records.command('list'))
    .option('--type <type>', 'only of this type')
    .option('--name <name>', 'only of this name')
    .option('--search <text>', 'only with this somewhere')
    .description('list records')
    .action(
      run(async (api, _, print, options) => {
        const wanted = ['type', 'name', 'search'].flatMap((key) =>
          typeof options[key] === 'string' ? [`${key}=${encodeURIComponent(options[key])}`] : [],
        )
        print(await api.all<Row>(`${await recordsPath(api, options)}?${wanted.join('&')}`, PER_PAGE), COLUMNS)
      }),
    )
  inZone(records.command('get <id>'))
    .description('show a record')
    .action(
      run(async (api, [id], print, options) =>
        print([await result(api, 'GET', `${await recordsPath(api, options)}/${id}`)], COLUMNS),
      ),
    )
}

function addWriting(records: Command): void {
  written(inZone(records.command('create <type> <name> [content]')))
    .description('create a record')
    .action(
      run(async (api, [type, name, content], print, options) =>
        print(
          [
            await write(
              api,
              'POST',
              await recordsPath(api, options),
              { type, name, content, ...members(options) },
              options,
            ),
          ],
          COLUMNS,
        ),
      ),
    )
  written(inZone(records.command('update <id>')))
    .option('--name <name>', 'new name')
    .option('--content <content>', 'new content')
    .description('edit a record: what is not given stays')
    .action(
      run(async (api, [id], print, options) =>
        print(
          [
            await write(
              api,
              'PATCH',
              `${await recordsPath(api, options)}/${id}`,
              { ...members(options), ...pick(options, ['name', 'content']) },
              options,
            ),
          ],
          COLUMNS,
        ),
      ),
    )
  inZone(records.command('delete <id>'))
    .option('--dry-run', 'tell what would change')
    .description('delete a record')
    .action(
      run(async (api, [id], print, options) =>
        print(
          [await write(api, 'DELETE', `${await recordsPath(api, options)}/${id}`, undefined, options)],
          ['id'],
        ),
      ),
    )
}
