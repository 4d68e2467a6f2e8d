// The command line: parses, chooses a verb, tells failures in one line. Verbs return; nothing here ends the process.
import { Command, CommanderError } from 'commander'
import { ApiError } from '../client/api.ts'
import { addClientCommands } from '../client/commands.ts'
import { ConfigError, loadConfig, SETTINGS, type Config } from '../config/index.ts'
import { addExprCommands } from './expr-command.ts'
import { VERSION } from './version.ts'

const OK = 0
const FAILED = 1
const USAGE = 2
const NOT_ALLOWED = 4
const NOT_FOUND = 5
const TRY_AGAIN = 75
/** By status of a refusal by the server that a client command spoke to. */
const EXIT_CODES: Readonly<Record<number, number>> = {
  401: NOT_ALLOWED,
  403: NOT_ALLOWED,
  404: NOT_FOUND,
  429: TRY_AGAIN,
  503: TRY_AGAIN,
}

/** Commands whose other exit codes are answers: whatever goes wrong is 1. */
const ANSWERING = new Set(['plan'])

/** Runs one command. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = OK
  const program = new Command('zonereeve')
    .description('Run your own zone control plane with the tools you already use: change the base URL.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })

  withSettings(program.command('serve'))
    .description('serve the API and the nameserver, storing everything in the data folder')
    .action(async (options: Options) => {
      const { serve } = await import('./serve.ts')
      await serve(configFrom(options))
    })
  withSettings(program.command('demo'))
    .description('the same in memory, with example.com in it, and commands to try')
    .action(async (options: Options) => {
      const { demo } = await import('./demo.ts')
      await demo(configFrom(options))
    })
  const token = program.command('token').description('API tokens')
  withSettings(token.command('create'))
    .description('make a token and print it, once')
    .requiredOption('--name <name>', 'what the token is for')
    .option(
      '--template <template>',
      'admin, dns-edit, dns-edit:ZONE, read-only or read-only:ZONE',
      'dns-edit',
    )
    .action(async (options: Options) => {
      const { createTokenCommand } = await import('./token-command.ts')
      await createTokenCommand(configFrom(options), {
        name: options['name'] ?? '',
        template: options['template'] ?? '',
      })
    })
  const config = program.command('config').description('configuration')
  withSettings(config.command('show'))
    .description('print every setting')
    .option('--origin', 'say where each value comes from')
    .action(async (options: Options) => {
      const { showConfig } = await import('./config-command.ts')
      showConfig(configFrom(options), options['origin'] !== undefined)
    })

  addExprCommands(program)
  addClientCommands(program, (code) => {
    exitCode = code
  })

  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    const failure = explain(error)
    exitCode = failure !== OK && ANSWERING.has(argv[0] ?? '') ? FAILED : failure
  }
  return exitCode
}

type Options = Readonly<Record<string, string | undefined>>

/** Adds a flag for every setting that may be one. */
function withSettings(command: Command): Command {
  for (const { name, placeholder, description, usual } of Object.values(SETTINGS)) {
    if (placeholder === undefined) continue
    const shown = usual === undefined || usual === '' ? '' : ` (usual: ${usual})`
    command.option(`--${name} <${placeholder}>`, `${description}${shown}`)
  }
  return command.option('--config <file>', 'JSON file of settings (usual: ./zonereeve.json, if it is there)')
}

/** Commander writes `rate-limit` as `rateLimit`. */
function configFrom(options: Options): Config {
  const flags = Object.entries(SETTINGS).map(([key, { name }]) => [name, options[key]] as const)
  return loadConfig({ flags: Object.fromEntries(flags), file: options['config'] })
}

function explain(error: unknown): number {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE
  const lines = error instanceof ConfigError ? error.problems : [describe(error)]
  for (const line of lines) process.stderr.write(`zonereeve: ${line}\n`)
  if (error instanceof ApiError) return EXIT_CODES[error.status] ?? FAILED
  return error instanceof ConfigError ? USAGE : FAILED
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // What the system says of a socket that could not be opened.
  const { code, address, port } = error as Error & { code?: string; address?: string; port?: number }
  if (code === 'EADDRINUSE') return `${address}:${port} is in use; choose another with --http or --dns`
  if (code === 'EACCES' && port !== undefined) return `${address}:${port} may not be opened by this user`
  return error.message
}
