// Shared by client commands: server address, output format, dry runs.
import { Option, type Argument, type Command } from 'commander'
import { loadClientConfig } from './client-config.ts'
import { createApi, type Api } from './api.ts'
import { findServer } from './servers.ts'
import { integerOf, readTtl } from './numbers.ts'
import { defaultFormat, FORMATS, formatRows, type Format, type OutputRow } from './output.ts'

/** Items per request. */
export const PER_PAGE = 1_000

const MAX_U16 = 65_535

export type Options = Readonly<Record<string, string | number | boolean | undefined>>

export type Print = (rows: readonly OutputRow[], columns: readonly string[]) => void
type Action = (api: Api, args: readonly string[], print: Print, options: Options) => Promise<void>

/** A command with an output format of its own. */
export function plainClient(command: Command): Command {
  command.option(
    '--url <url>',
    'base URL of the API (default: $ZONEREEVE_URL, or http://127.0.0.1:8080/client/v4)',
  )
  command.addOption(
    new Option(
      '--server <name>',
      'a server stored by zonereeve login (default: $ZONEREEVE_SERVER)',
    ).conflicts('url'),
  )
  return command.registeredArguments[0]?.name() === 'zone' ? takeZoneOption(command) : command
}

/** The zone is the first argument or `-z`, which replaces that argument. */
function takeZoneOption(command: Command): Command {
  const declared = command.registeredArguments as Argument[] // counted once the options have been read
  command.option('-z, --zone <zone>', 'name or ID of the zone, instead of the first argument')
  return command.on('option:zone', () => declared.splice(0, declared[0]?.name() === 'zone' ? 1 : 0))
}

export const client = (command: Command): Command => withFormats(plainClient(command), FORMATS)

/** Adds `-o` and `--json`. */
export function withFormats(command: Command, formats: readonly string[]): Command {
  return command
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats))
    .addOption(new Option('--json', 'the same as -o json').conflicts('output'))
}

/** Whether `-o` or `--json` selects JSON. */
export const isJson = ({ json, output }: Options): boolean => json === true || output === 'json'

export function formatOf(options: Options): Format {
  if (isJson(options)) return 'json'
  return FORMATS.find((format) => format === options['output']) ?? defaultFormat(process.stdout.isTTY)
}

export function withWriteOptions(command: Command): Command {
  return command
    .option('--ttl <duration>', 'seconds, a duration like 5m or 1h, or auto', readTtl)
    .option('--priority <number>', 'priority of MX, SRV and URI records', integerOf(0, MAX_U16))
    .option('--data <json>', 'the value as a JSON object of its fields')
    .option('--proxied', 'answer with the addresses of the edge')
    .option('--comment <text>', 'comment for the record')
    .option('--tag <tag...>', 'tag, as name or name:value; may be repeated')
    .option('--dry-run', 'show what would change')
}

/** Commander passes the arguments, the options and the command. */
export function run(action: Action): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const options = given.at(-2) as Options // what commander has parsed
    const api = connect(options)
    const format = formatOf(options)
    await action(
      api,
      argumentsOf(given, options),
      (rows, columns) => process.stdout.write(formatRows(rows, columns, format)),
      options,
    )
  }
}

/** The same for commands with an output format of their own. */
export function runPlain(
  action: (api: Api, args: readonly string[], options: Options) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const options = given.at(-2) as Options // as above
    await action(connect(options), argumentsOf(given, options), options)
  }
}

/** The zone comes first, however it was given. */
function argumentsOf(given: readonly unknown[], { zone }: Options): string[] {
  const positional = given.slice(0, -2) as string[] // what commander has parsed
  return typeof zone === 'string' ? [zone, ...positional] : positional
}

export function connect({ url, server }: Options): Api {
  const config = loadClientConfig(
    {
      url: typeof url === 'string' ? url : undefined,
      server: typeof server === 'string' ? server : undefined,
    },
    undefined,
    findServer,
  )
  for (const note of config.notes) process.stderr.write(`note: ${note}\n`)
  return createApi(config)
}

export async function result(api: Api, method: string, path: string, body?: unknown): Promise<OutputRow> {
  const envelope = await api.call<OutputRow>(method, path, body)
  for (const { message } of envelope.messages) process.stderr.write(`note: ${message}\n`)
  return envelope.result
}

export function write(
  api: Api,
  method: string,
  path: string,
  body: unknown,
  options: Options,
): Promise<OutputRow> {
  return result(api, method, options['dryRun'] === true ? `${path}?dry_run=true` : path, body)
}

/** A zone by its name or id. */
export async function zoneNamed(
  api: Api,
  zone: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const found = await api.call<{ readonly id: string; readonly name: string }>(
    'GET',
    `/zones/${await api.zoneId(zone)}`,
  )
  return found.result
}

export function members(options: Options): OutputRow {
  const { data } = options
  return {
    ...pick(options, ['ttl', 'priority', 'proxied', 'comment']),
    ...(data === undefined ? {} : { data: parseData(String(data)) }),
    ...(options['tag'] === undefined ? {} : { tags: options['tag'] }),
  }
}

function parseData(text: string): object {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  } catch {
    // the same error as for JSON that is no object
  }
  throw new Error('--data must be a JSON object, like \'{"port":443}\'')
}

export function pick(options: Options, names: readonly string[]): OutputRow {
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  )
}
