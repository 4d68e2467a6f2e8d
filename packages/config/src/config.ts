// Configuration: flags, then environment, then file, then defaults; each value checked, the whole frozen. The only
// reader of the environment.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, describeFileError, readPassedSockets } from '@zonereeve/platform'
import { passedEndpoints, type PassedEndpoints } from './passed-endpoints.ts'
import { environmentName, SETTINGS, type Setting, type SettingKey } from './settings.ts'

type Values = {
  readonly [K in SettingKey]: (typeof SETTINGS)[K] extends Setting<infer T> ? T | Absent<K> : never
}
// Settings without a default may be missing.
type Absent<K extends SettingKey> = K extends
  | 'adminToken'
  | 'adminKey'
  | 'backupPassphrase'
  | 'dnsCookieSecrets'
  | 'oidcClientSecret'
  | 'smtpPassword'
  | 'testToken'
  ? undefined
  : never

export interface Config extends Values {
  /** Where each value comes from: `flag --http`, `environment ZONEREEVE_HTTP`, `file PATH`, `default`. */
  readonly origins: Readonly<Record<SettingKey, string>>
  readonly strings: Readonly<Record<SettingKey, string | undefined>>
  /** Warnings for the operator. */
  readonly warnings: readonly string[]
}

/** One or more settings are wrong: each line names a setting, where it comes from, and what would be right. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export interface ConfigSources {
  /** By setting name, `rate-limit`. */
  readonly flags: Readonly<Record<string, string | undefined>>
  /** Normally the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /**
   * Path of a JSON file. If undefined: ZONEREEVE_CONFIG, where the empty string means no file; then `zonereeve.json` in
   * the working directory, if it exists.
   */
  readonly file?: string | undefined
}

const DEFAULT_FILE = 'zonereeve.json'
const FILE_VARIABLE = 'ZONEREEVE_CONFIG'

/** @throws ConfigError listing every problem. */
export function loadConfig(sources: ConfigSources): Config {
  const environment = sources.environment ?? process.env
  const problems: string[] = []
  const file = readFile(sources.file ?? environment[FILE_VARIABLE], problems)
  const values: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  const strings: Record<string, string | undefined> = {}
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const { text, origin } = find(setting, { flags: sources.flags, environment }, file, problems)
    origins[key] = origin
    strings[key] = text
    values[key] = text === undefined ? undefined : parse(setting, text, origin, problems)
  }
  const passed = findPassed(environment, problems)
  for (const [key, { host, port }] of Object.entries(passed)) {
    origins[key] = 'socket passed by systemd'
    strings[key] = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  }
  // Started again in the same process, the sockets would be gone.
  if (Object.keys(passed).length > 0)
    for (const { key, name } of NO_PASSED_SOCKETS)
      if (values[key] !== undefined) problems.push(`${name}: cannot be used with sockets passed by systemd`)
  if (problems.length > 0) throw new ConfigError(problems)
  const warnings = [...unknownVariables(environment), ...unassignedNames(values)]
  return Object.freeze({ ...values, ...passed, origins, strings, warnings }) as unknown as Config // one value for each setting
}

/** Names that no new zone gets are mistakes, or those of zones of an earlier configuration. */
function unassignedNames({ zonesOf, nameServers }: Partial<Values>): string[] {
  return (zonesOf ?? []) // none: it has all zones
    .filter((name) => nameServers?.every(({ names }) => !names.includes(name)))
    .map((name) => `zones-of: ${name} is not in name-servers: no new zone gets it`)
}

const NO_PASSED_SOCKETS: readonly { readonly key: SettingKey; readonly name: string }[] = [
  { key: 'nodeUrl', name: 'node-url' },
  { key: 'testControl', name: 'test-control' },
]

function findPassed(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): PassedEndpoints {
  try {
    return passedEndpoints(readPassedSockets(environment))
  } catch (error) {
    problems.push(describeError(error))
    return {}
  }
}

const DEFAULT_DATABASE = 'zonereeve.db'

/**
 * Path of the database file.
 * @throws Error: the database is PostgreSQL
 */
export function databasePath(config: Pick<Config, 'database' | 'data'>): string {
  if (isPostgres(config.database))
    throw new Error('this command is for SQLite only; use the tools of PostgreSQL, such as pg_dump and psql')
  return config.database ?? join(config.data, DEFAULT_DATABASE)
}

/** The database in PostgreSQL; undefined if it is SQLite. */
export function postgresOf({
  database,
  databasePassword,
  data,
}: Pick<Config, 'database' | 'databasePassword' | 'data'>):
  | { readonly url: string; readonly keyFile: string }
  | undefined {
  if (!isPostgres(database)) return undefined
  const url = withPassword(database, { databasePassword })
  // The same key as beside a database file: secrets stay readable if the data moves between the two.
  return { url, keyFile: join(data, `${DEFAULT_DATABASE}.key`) }
}

/**
 * A database that is not the configured one.
 *
 * @param text like the setting `database`; PostgreSQL with the configured password
 * @throws Error: it has another form
 */
export function databaseAt(
  text: string,
  config: Pick<Config, 'databasePassword'>,
): { readonly sqlite: string } | { readonly postgres: string } {
  const database = SETTINGS.database.parse(text)
  if (database === undefined) throw new Error('must be sqlite:FILE or postgres://USER@HOST/DATABASE')
  return isPostgres(database) ? { postgres: withPassword(database, config) } : { sqlite: database }
}

function withPassword(database: string, { databasePassword }: Pick<Config, 'databasePassword'>): string {
  const url = new URL(database)
  if (databasePassword !== undefined) url.password = encodeURIComponent(databasePassword)
  return url.href
}

const isPostgres = (database: string | undefined): database is string =>
  /^postgres(?:ql)?:/.test(database ?? '') // SQLite without one

/** The environment for other programs: settings may be secrets. */
export const environmentWithoutSettings = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ZONEREEVE_')))

interface ConfigFile {
  readonly path: string
  readonly entries: Readonly<Record<string, unknown>>
}

function readFile(path: string | undefined, problems: string[]): ConfigFile | undefined {
  const chosen = path ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined)
  if (chosen === undefined || chosen === '') return undefined
  try {
    const entries: unknown = JSON.parse(readFileSync(chosen, 'utf8'))
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      throw new Error('must be an object')
    const names = new Set(Object.values(SETTINGS).map(({ name }) => name))
    for (const name of Object.keys(entries)) {
      if (!names.has(name)) problems.push(`${name} (file ${chosen}): unknown setting`)
    }
    return { path: chosen, entries: entries as Record<string, unknown> } // checked above
  } catch (error) {
    problems.push(`file ${chosen}: ${describeFileError(error)}`)
    return undefined
  }
}

function find(
  setting: Setting<unknown>,
  { flags, environment }: Required<Pick<ConfigSources, 'flags' | 'environment'>>,
  file: ConfigFile | undefined,
  problems: string[],
): { text: string | undefined; origin: string } {
  const flag = flags[setting.name]
  if (flag !== undefined) return { text: flag, origin: `flag --${setting.name}` }
  const variable = environmentName(setting)
  if (environment[variable] !== undefined)
    return { text: environment[variable], origin: `environment ${variable}` }
  const secretFile = environment[`${variable}_FILE`]
  if (secretFile !== undefined) return readSecret(`${variable}_FILE`, secretFile, problems)
  const entry = file?.entries[setting.name]
  if (file !== undefined && entry !== undefined) {
    if (typeof entry === 'string') return { text: entry, origin: `file ${file.path}` }
    const example = setting.default === undefined ? '' : `, like "${setting.default}"`
    problems.push(`${setting.name} (file ${file.path}): must be a string${example}`)
  }
  return { text: setting.default, origin: 'default' }
}

function readSecret(
  variable: string,
  path: string,
  problems: string[],
): { text: string | undefined; origin: string } {
  const origin = `environment ${variable}`
  try {
    return { text: readFileSync(path, 'utf8').trim(), origin }
  } catch (error) {
    problems.push(`${origin}: ${describeError(error)}`)
    return { text: undefined, origin }
  }
}

function parse(setting: Setting<unknown>, text: string, origin: string, problems: string[]): unknown {
  try {
    return setting.parse(text)
  } catch (error) {
    const shown = setting.secret === true ? '' : ` "${text}"`
    problems.push(`${setting.name}${shown} (${origin}): ${describeError(error)}`)
    return undefined
  }
}

/** Variables of the client commands, see packages/command-line. One environment may contain both kinds. */
const CLIENT_VARIABLES = ['ZONEREEVE_URL', 'ZONEREEVE_TOKEN', 'ZONEREEVE_SERVER', 'ZONEREEVE_SOURCE_TOKEN']

// A platform may set variables with our prefix (a service called zonereeve gets some), so they are reported,
// not rejected.
function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...Object.values(SETTINGS).map(environmentName), FILE_VARIABLE, ...CLIENT_VARIABLES])
  return Object.keys(environment)
    .filter((name) => name.startsWith('ZONEREEVE_') && !name.startsWith('ZONEREEVE_TEST'))
    .filter((name) => !known.has(name.replace(/_FILE$/, '')))
    .map((name) => `${name} is not a setting and has no effect`)
}
