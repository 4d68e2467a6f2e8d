// zonereeve doctor and status: the verbs and their options.
import { Option, type Command } from 'commander'
import type { SettingVerbs, VerbOptions } from './backup-verbs.ts'

const FORMATS = ['table', 'json']
const ACME = ['acme-directory', 'acme-terms', 'acme-email', 'acme-names', 'acme-ca']
/** Where the server answers, and where its certificate is. */
const READINESS = ['http', 'public-url', 'node-url', 'data', 'tls-certificate', 'tls-key', ...ACME]

/** @param exit sets the exit code of a command that has run. */
export function addDoctorCommands(
  program: Command,
  { withSettings, configFrom }: SettingVerbs,
  exit: (code: number) => void,
): void {
  withSettings(program.command('doctor'), 'all')
    .description(
      'examine this installation: files, ports, certificate, database, and each zone as the world sees it; changes nothing',
    )
    .option('--zone <name>', 'only this zone, by its name')
    .option('--all', 'also print what is in order')
    .addOption(new Option('-o, --output <format>', 'output format').choices(FORMATS).default('table'))
    .action(async (options: VerbOptions) => {
      const { doctorCommand } = await import('./doctor-command.ts')
      exit(await doctorCommand(configFrom(options), options))
    })
  withSettings(program.command('status'), READINESS)
    .description('print whether the server of this configuration is ready; exit code 1 if not')
    .addOption(new Option('-o, --output <format>', 'output format').choices(FORMATS).default('table'))
    .action(async (options: VerbOptions) => {
      const { statusCommand } = await import('./status-command.ts')
      exit(await statusCommand(configFrom(options), options['output'] === 'json'))
    })
}
