// The command line: parses arguments, runs a verb, prints failures in one line. Verbs return; nothing here
// exits the process.
import {
  addClientCommands,
  addShellCommands,
  addTokenCommands,
  ApiError,
  ClientConfigError,
  loadClientConfig,
} from '@zonereeve/command-line'
import { Command, CommanderError, Option } from 'commander'
import { ConfigError, loadConfig, SETTINGS, type Config } from '@zonereeve/config'
import { addAuditCommands } from './commands/audit-verbs.ts'
import { addBackupCommands, type ReadSettings } from './commands/backup-verbs.ts'
import { addDoctorCommands } from './commands/doctor-verbs.ts'
import { describeError, watchOutput } from '@zonereeve/platform'
import { VERSION } from '../version.ts'
import type { EdgeFlags } from './commands/edge-command.ts'
import { TEMPLATES } from './commands/token-templates.ts'

const OK = 0
const FAILED = 1
const USAGE = 2
const NOT_ALLOWED = 4
const NOT_FOUND = 5
const TRY_AGAIN = 75
/** Exit codes of client commands by HTTP status of the server's error. */
const EXIT_CODES: Readonly<Record<number, number>> = {
  401: NOT_ALLOWED,
  403: NOT_ALLOWED,
  404: NOT_FOUND,
  429: TRY_AGAIN,
  503: TRY_AGAIN,
}

/** Commands whose exit codes are results: any failure is 1. */
const ANSWERING = new Set(['plan'])

/** Runs one command. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = OK
  watchOutput()
  const program = new Command('zonereeve')
    .description(
      'Self-hosted control plane and nameserver for DNS zones, compatible with the tools of the v4 zone API.',
    )
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })

  withSettings(program.command('serve'), 'all')
    .description('run the API and the nameserver; everything is stored in the data folder')
    .action(async (options: Options) => {
      const { serve } = await import('./commands/serve.ts')
      await serve(configFrom(options))
    })
  withSettings(program.command('demo'), 'all')
    .description('run both in memory with example zones, and print commands to try')
    .action(async (options: Options) => {
      const { demo } = await import('./commands/demo.ts')
      await demo(configFrom(options))
    })
  addEdgeCommands(program)
  const token = program.command('token').alias('tokens').description('API tokens')
  addTokenCommands(token)
  withSettings(token.command('create'))
    .description('create a token and print it once')
    .requiredOption('--name <name>', 'name of the token')
    .option('--template <template>', TEMPLATES, 'dns-edit')
    .action(async (options: Options) => {
      const { createTokenCommand } = await import('./commands/token-command.ts')
      await createTokenCommand(configFrom(options), {
        name: requireOption(options, 'name'),
        template: requireOption(options, 'template'),
      })
    })
  const admin = program.command('admin').description('access to this server')
  withSettings(admin.command('link'), ['data', 'database', 'http', 'public-url'])
    .description('print a link by which the administrator signs in to the dashboard, once, within 30 minutes')
    .option('--email <email>', 'another user to sign in')
    .action(async (options: Options) => {
      const { createLinkCommand } = await import('./commands/admin-command.ts')
      await createLinkCommand(configFrom(options), options['email'])
    })
  const config = program.command('config').description('show the configuration')
  withSettings(config.command('show'), 'all')
    .description('print all settings')
    .option('--origin', 'also print the source of each value')
    .action(async (options: Options) => {
      const { showConfig } = await import('./commands/config-command.ts')
      showConfig(configFrom(options), options['origin'] !== undefined)
    })

  addMigrateDatabase(program)
  addAuditCommands(program, { withSettings, configFrom })
  addBackupCommands(program, { withSettings, configFrom })
  addCoreRuleSetCommands(program)
  addDoctorCommands(program, { withSettings, configFrom }, (code) => {
    exitCode = code
  })
  addClientCommands(program, (code) => {
    exitCode = code
  })
  addShellCommands(program, VERSION)

  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    const failure = explain(error)
    const [command] = argv
    exitCode = failure !== OK && command !== undefined && ANSWERING.has(command) ? FAILED : failure
  }
  return exitCode
}

function addMigrateDatabase(program: Command): void {
  withSettings(program.command('migrate-database'), [])
    .description('copy everything from SQLite to PostgreSQL or back, while servers only read, and compare it')
    .requiredOption('--from <url>', 'sqlite:FILE, or postgres://USER@HOST/DATABASE')
    .option('--to <url>', 'an empty database: sqlite:FILE, or postgres://USER@HOST/DATABASE')
    .option('--cancel', 'let servers write to --from again')
    .action(async (options: Options) => {
      const { migrateDatabaseCommand } = await import('./commands/migrate-database-command.ts')
      await migrateDatabaseCommand(configFrom(options), options)
    })
}

function addCoreRuleSetCommands(program: Command): void {
  const crs = program.command('crs').description('the OWASP Core Rule Set as a managed ruleset')
  withSettings(crs.command('import <path>'))
    .description(
      'read a folder of rules, such as /usr/share/modsecurity-crs, or one file; used from the next start',
    )
    .action(async (path: string, options: Options) => {
      const { importCommand } = await import('./commands/crs-command.ts')
      await importCommand(configFrom(options), path)
    })
  withSettings(crs.command('show'))
    .description('print the version of the imported rules, and which of them do not run')
    .action(async (options: Options) => {
      const { showCommand } = await import('./commands/crs-command.ts')
      await showCommand(configFrom(options))
    })
  withSettings(crs.command('remove'))
    .description("remove the imported rules; the program's own ruleset is used again from the next start")
    .action(async (options: Options) => {
      const { removeCommand } = await import('./commands/crs-command.ts')
      await removeCommand(configFrom(options))
    })
}

type Options = Readonly<Record<string, string | undefined>>

/** An option that is required, or has a default. */
function requireOption(options: Options, name: string): string {
  const value = options[name]
  if (value === undefined) throw new Error(`the option --${name} has no value`)
  return value
}

function addEdgeCommands(program: Command): void {
  const edgeCommand = addEdgeOptions(program.command('edge')).action(async (options: EdgeFlags) => {
    const { edge } = await import('./commands/edge-command.ts')
    await edge(edgeServerOf(options), options)
  })
  // `edge` accepts its own options before `config`, which does not read them.
  const configCommand = edgeCommand.command('config <proxy>').configureHelp({ showGlobalOptions: false })
  addEdgeConfigOptions(configCommand).action(async (proxy: string, _options: EdgeFlags, command: Command) => {
    const options: EdgeFlags = command.optsWithGlobals() // `edge` takes those that both have
    const { edgeConfig } = await import('./commands/edge-config-command.ts')
    await edgeConfig(edgeServerOf(options), proxy, options)
  })
}

const edgeServerOf = ({ url }: EdgeFlags) =>
  loadClientConfig({ url: typeof url === 'string' ? url : undefined })

const addEdgeConfigOptions = (command: Command): Command =>
  command
    .description('write the configuration of nginx, haproxy or caddy in front of one zone')
    .option('--url <url>', 'the API (default: $ZONEREEVE_URL or http://127.0.0.1:8080/client/v4)')
    .option('--zone <name>', 'name of the zone')
    .option('--listen <host:port>', 'where the proxy listens')
    .option('--origin <host:port>', 'where requests that pass go')
    .option('--decisions <host:port>', 'where the edge decides, or unix:/path')
    .option('--spop <host:port>', 'where the edge decides for HAProxy, or unix:/path')
    .option('--reports <host:port>', 'where reports of browsers go: the server')
    .option(
      '--undecided <open|closed>',
      'passes or refuses requests while the edge is away (default: closed)',
    )
    .option('--output <file>', 'replace this file after a check by the proxy (default: print)')
    .option('--reload <command>', 'run after a change, at most once a minute')

/** The edge has no settings of the server: it may run elsewhere. */
const addEdgeOptions = (command: Command): Command =>
  command
    .description('decide about requests by the rules of a running server, for proxies in front of it')
    .option('--url <url>', 'the API (default: $ZONEREEVE_URL or http://127.0.0.1:8080/client/v4)')
    .option('--decisions <host:port>', 'where proxies ask: forward authentication, AppSec; or unix:/path')
    .option('--spop <host:port>', 'where HAProxy asks; or unix:/path')
    .option('--proxy <host:port>', 'where the embedded reverse proxy listens')
    .option('--proxy-tls <host:port>', 'where it listens with TLS')
    .option('--certificates <folder>', 'certificates and keys of --proxy-tls, chosen by name')
    .option(
      '--acme-directory <url>',
      'ACME directory of a certificate authority: the edge gets certificates itself, into that folder',
    )
    .option('--acme-terms <agreed>', 'agreed, if you agree to the terms of service of the authority; needed')
    .option('--acme-email <address>', 'address for the account at the authority')
    .option('--acme-names <names>', 'names of certificates; default: each zone, with *. below it')
    .option('--acme-ca <file>', 'certificates (PEM) behind the directory, if the system does not trust them')
    .option('--data <folder>', 'keeps the last configuration, to start without the server')
    .option(
      '--undecided <modes>',
      'what happens to requests that rules cannot decide: open or closed, then perhaps others for phases (default: closed,managed=open)',
    )
    .option('--appsec-key-file <file>', 'file with the key of AppSec clients; without it, AppSec is off')
    .option(
      '--challenge-key-file <file>',
      'key of clearances, the same for all edges of a site (default: a new one at each start)',
    )
    .option('--origin <host:port>', 'one origin for all hosts, instead of the proxied records')
    .option('--origin-scheme <http|https>', 'how the embedded proxy reaches origins (default: http)')
    .option('--origin-port <port>', 'port of origins that are proxied records (default: of the scheme)')
    .option('--leaked-passwords <path>', 'hashes of leaked passwords: a sorted file, or a folder of ranges')
    .option('--geoip <files>', "databases of locations in MaxMind's format, separated by commas")
    .option('--verified-bots <files>', 'lists of addresses of verified bots, separated by commas')
    .option('--allow-private-origins', 'lets proxied records point into loopback and private networks')

/** Adds a flag for every setting that may be one. The help shows those that the command reads. */
function withSettings(command: Command, read: ReadSettings = ['data', 'database']): Command {
  for (const { name, placeholder, description, default: fallback } of Object.values(SETTINGS)) {
    if (placeholder === undefined) continue
    const shown = fallback === undefined || fallback === '' ? '' : ` (default: ${fallback})`
    const option = new Option(`--${name} <${placeholder}>`, `${description}${shown}`)
    command.addOption(option.hideHelp(read !== 'all' && !read.includes(name)))
  }
  if (read !== 'all') command.addHelpText('after', '\nThe options of zonereeve serve are accepted, too.')
  return command.option(
    '--config <file>',
    'JSON file with settings (default: $ZONEREEVE_CONFIG, or ./zonereeve.json if it exists)',
  )
}

/** Commander converts `rate-limit` to `rateLimit`. */
function configFrom(options: Options): Config {
  const flags = Object.entries(SETTINGS).map(([key, { name }]) => [name, options[key]] as const)
  return loadConfig({ flags: Object.fromEntries(flags), file: options['config'] })
}

function explain(error: unknown): number {
  // Commander has already printed its message, or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE
  const lines = error instanceof ConfigError ? error.problems : [describeCause(error)]
  for (const line of lines) process.stderr.write(`zonereeve: ${line}\n`)
  if (error instanceof ApiError) return EXIT_CODES[error.status] ?? FAILED
  return error instanceof ConfigError || error instanceof ClientConfigError ? USAGE : FAILED
}

function describeCause(error: unknown): string {
  const isFile = error instanceof ClientConfigError && error.cause !== undefined
  return isFile ? `${error.message}: ${describeError(error.cause)}` : describeError(error)
}
