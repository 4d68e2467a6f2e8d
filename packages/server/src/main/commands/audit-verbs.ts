// zonereeve audit: the verbs and their options. What they do is loaded when one runs.
import type { Command } from 'commander'
import type { SettingVerbs, VerbOptions } from './backup-verbs.ts'

export function addAuditCommands(program: Command, { withSettings, configFrom }: SettingVerbs): void {
  const audit = program
    .command('audit')
    .description('the audit log in the database, also while a server uses it')
  withSettings(audit.command('verify [file]'))
    .description(
      'check that no entry was changed, removed or inserted, in the database or in an exported file; print the last entry',
    )
    .option(
      '--expect <number:hash>',
      'an entry known from earlier, as this command or the server’s log printed it: the log must contain it',
    )
    .action(async (file: string | undefined, options: VerbOptions) => {
      const { verifyAuditCommand } = await import('./audit-command.ts')
      await verifyAuditCommand(configFrom(options), { file, expect: options['expect'] })
    })
  withSettings(audit.command('export'))
    .description('print all entries as NDJSON, oldest first')
    .option('--after <number>', 'only entries after this number', '0')
    .option('--to <file>', 'write a new file instead')
    .action(async (options: VerbOptions) => {
      const { exportAuditCommand } = await import('./audit-command.ts')
      await exportAuditCommand(configFrom(options), { after: options['after'], to: options['to'] })
    })
}
