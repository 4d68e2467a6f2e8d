// What client commands have in common: where the server is, how results are printed, dry runs.
import type { Command } from 'commander'
import { loadClientConfig } from '../config/index.ts'
import { createApi, type Api } from './api.ts'
import { formatRows, readFormat, type Row } from './output.ts'

/** Items asked for in one request. */
export const PER_PAGE = 1_000

export type Options = Readonly<Record<string, string | boolean | undefined>>

export type Print = (rows: readonly Row[], columns: readonly string[]) => void
type Action = (api: Api, args: readonly string[], print: Print, options: Options) => Promise<void>

/** A command that says by itself how it prints. */
export const plainClient = (command: Command): Command =>
  command.option(
    '--url <url>',
    'base URL of the API (usual: $ZONEREEVE_URL, or http://127.0.0.1:8080/client/v4)',
  )

export function client(command: Command): Command {
  return plainClient(command).option('-o, --output <format>', 'table, json, ndjson or csv')
}

export function inZone(command: Command): Command {
  return client(command).requiredOption('-z, --zone <zone>', 'name or id of the zone')
}

export function written(command: Command): Command {
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
export function run(action: Action): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const options = given.at(-2) as Options // what commander has parsed
    const args = given.slice(0, -2) as string[]
    const { output } = options
    const api = connect(options)
    const format = readFormat(typeof output === 'string' ? output : undefined, process.stdout.isTTY)
    await action(
      api,
      args,
      (rows, columns) => process.stdout.write(formatRows(rows, columns, format)),
      options,
    )
  }
}

/** The same for commands that print by themselves. */
export function runPlain(
  action: (api: Api, args: readonly string[], options: Options) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const options = given.at(-2) as Options // as above
    await action(connect(options), given.slice(0, -2) as string[], options)
  }
}

function connect({ url }: Options): Api {
  return createApi(loadClientConfig({ url: typeof url === 'string' ? url : undefined }))
}

export async function result(api: Api, method: string, path: string, body?: unknown): Promise<Row> {
  const envelope = await api.call<Row>(method, path, body)
  for (const { message } of envelope.messages) process.stderr.write(`note: ${message}\n`)
  return envelope.result
}

export function write(api: Api, method: string, path: string, body: unknown, options: Options): Promise<Row> {
  return result(api, method, options['dryRun'] === true ? `${path}?dry_run=true` : path, body)
}

export const zoneOf = (api: Api, options: Options): Promise<string> => api.zoneId(String(options['zone']))

export const recordsPath = async (api: Api, options: Options): Promise<string> =>
  `/zones/${await zoneOf(api, options)}/dns_records`

export function members(options: Options): Row {
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

export function pick(options: Options, names: readonly string[]): Row {
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  )
}
