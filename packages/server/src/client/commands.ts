// Client commands: thin verbs over the API.
import type { Command } from 'commander'
import { loadClientConfig } from '../config/index.ts'
import { createApi, type Api } from './api.ts'
import { formatRows, readFormat, type Row } from './output.ts'

type Options = Readonly<Record<string, string | boolean | undefined>>

const ZONE_COLUMNS = ['name', 'status', 'id', 'name_servers']
const RECORD_COLUMNS = ['type', 'name', 'content', 'priority', 'ttl', 'proxied', 'comment', 'id']
const CHANGE_COLUMNS = ['number', 'at', 'actor', 'operations', 'serial']
const PER_PAGE = 1_000

/** Adds the commands that speak to a running server. */
export function addClientCommands(program: Command): void {
  const zones = program.command('zones').description('zones of a running server')
  client(zones.command('list'))
    .description('list zones')
    .action(run(async (api, _, print) => print(await api.all<Row>('/zones', PER_PAGE), ZONE_COLUMNS)))
  client(zones.command('get <zone>'))
    .description('show a zone')
    .action(
      run(async (api, [zone = ''], print) =>
        print([await result(api, 'GET', `/zones/${await api.zoneId(zone)}`)], ZONE_COLUMNS),
      ),
    )
  client(zones.command('create <name>'))
    .description('create a zone')
    .action(
      run(async (api, [name], print) => print([await result(api, 'POST', '/zones', { name })], ZONE_COLUMNS)),
    )
  client(zones.command('delete <zone>'))
    .description('delete a zone and all in it')
    .requiredOption('--yes', 'really')
    .action(
      run(async (api, [zone = ''], print) =>
        print([await result(api, 'DELETE', `/zones/${await api.zoneId(zone)}`)], ['id']),
      ),
    )

  const records = program.command('records').description('records of a zone')
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
        print(
          await api.all<Row>(`${await recordsPath(api, options)}?${wanted.join('&')}`, PER_PAGE),
          RECORD_COLUMNS,
        )
      }),
    )
  inZone(records.command('get <id>'))
    .description('show a record')
    .action(
      run(async (api, [id], print, options) =>
        print([await result(api, 'GET', `${await recordsPath(api, options)}/${id}`)], RECORD_COLUMNS),
      ),
    )
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
          RECORD_COLUMNS,
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
          RECORD_COLUMNS,
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

  inZone(program.command('history'))
    .description('change sets of a zone, newest first')
    .option('--limit <n>', 'how many', '20')
    .action(
      run(async (api, _, print, options) => {
        const path = `/zonereeve/zones/${await zoneOf(api, options)}/changes?per_page=${Number(options['limit'])}`
        const { result: changes } = await api.call<(Row & { actor: { name: string } })[]>('GET', path)
        print(
          changes.map((change) => ({ ...change, actor: change.actor.name })),
          CHANGE_COLUMNS,
        )
      }),
    )
  inZone(program.command('revert [number]'))
    .description('undo one change set, or with --to bring all records back to how they were after one')
    .option('--to <number>', 'bring back to after this change set')
    .option('--dry-run', 'tell what would change')
    .action(
      run(async (api, [number], print, options) => {
        const zone = `/zonereeve/zones/${await zoneOf(api, options)}`
        if ((number === undefined) === (options['to'] === undefined))
          throw new Error('give a number, or --to a number')
        const counts =
          number === undefined
            ? await write(api, 'POST', `${zone}/restore`, { number: Number(options['to']) }, options)
            : await write(api, 'POST', `${zone}/changes/${number}/revert`, {}, options)
        print([counts], ['restored', 'changed', 'removed'])
      }),
    )
}

type Print = (rows: readonly Row[], columns: readonly string[]) => void
type Action = (api: Api, args: readonly string[], print: Print, options: Options) => Promise<void>

function client(command: Command): Command {
  return command
    .option('--url <url>', 'base URL of the API (usual: $ZONEREEVE_URL, or http://127.0.0.1:8080/client/v4)')
    .option('-o, --output <format>', 'table, json, ndjson or csv')
}

function inZone(command: Command): Command {
  return client(command).requiredOption('-z, --zone <zone>', 'name or id of the zone')
}

function written(command: Command): Command {
  return command
    .option('--ttl <seconds>', '1 = automatic')
    .option('--priority <number>', 'MX and SRV')
    .option('--data <json>', 'the value in parts')
    .option('--proxied', 'through the edge')
    .option('--comment <text>', 'one line')
    .option('--tag <tag...>', 'name or name:value, may be repeated')
    .option('--dry-run', 'tell what would change')
}

/** Commander hands over the arguments, the options and itself. */
function run(action: Action): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const options = given.at(-2) as Options // what commander has parsed
    const args = given.slice(0, -2) as string[]
    const { url, output } = options
    const api = createApi(loadClientConfig({ url: typeof url === 'string' ? url : undefined }))
    const format = readFormat(typeof output === 'string' ? output : undefined, process.stdout.isTTY)
    await action(
      api,
      args,
      (rows, columns) => process.stdout.write(formatRows(rows, columns, format)),
      options,
    )
  }
}

async function result(api: Api, method: string, path: string, body?: unknown): Promise<Row> {
  const envelope = await api.call<Row>(method, path, body)
  for (const { message } of envelope.messages) process.stderr.write(`note: ${message}\n`)
  return envelope.result
}

function write(api: Api, method: string, path: string, body: unknown, options: Options): Promise<Row> {
  return result(api, method, options['dryRun'] === true ? `${path}?dry_run=true` : path, body)
}

const zoneOf = (api: Api, options: Options): Promise<string> => api.zoneId(String(options['zone']))

const recordsPath = async (api: Api, options: Options): Promise<string> =>
  `/zones/${await zoneOf(api, options)}/dns_records`

function members(options: Options): Row {
  const { ttl, priority, data } = options
  return {
    ...pick(options, ['proxied', 'comment']),
    ...(ttl === undefined ? {} : { ttl: Number(ttl) }),
    ...(priority === undefined ? {} : { priority: Number(priority) }),
    ...(data === undefined ? {} : { data: parseData(String(data)) }),
    ...(options['tag'] === undefined ? {} : { tags: options['tag'] }),
  }
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('--data must be JSON, like \'{"port":443}\'')
  }
}

function pick(options: Options, names: readonly string[]): Row {
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  )
}
