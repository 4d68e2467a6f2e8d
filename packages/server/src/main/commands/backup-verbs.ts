// zonereeve backup: the verbs and their options. What they do is loaded when one runs.
import type { Command } from 'commander'
import type { Config } from '@zonereeve/config'

export type VerbOptions = Readonly<Record<string, string | undefined>>

/** Names of settings that a command reads. */
export type ReadSettings = 'all' | readonly string[]

export interface SettingVerbs {
  /** Adds a flag for every setting. @param read those in the help; by default those that find the database */
  withSettings(command: Command, read?: ReadSettings): Command
  configFrom(options: VerbOptions): Config
}

const TO = ['--to <folder>', 'folder of the backups'] as const
const KEEP = ['--keep <count>', 'afterwards delete all but the newest, 1 to 10000'] as const
const HOOK = [
  '--hook <program>',
  "program that carries the backup away; its argument is the backup's path",
] as const
const INCLUDE_KEY = ['--include-key', 'put the key file into a backup that is not encrypted, too'] as const

export function addBackupCommands(program: Command, { withSettings, configFrom }: SettingVerbs): void {
  const backup = program
    .command('backup')
    .description(
      'back up the database, also while a server uses it; ZONEREEVE_BACKUP_PASSPHRASE encrypts backups',
    )
  withSettings(backup.command('create'))
    .description('write one backup, and print its path')
    .requiredOption(...TO)
    .option(...KEEP)
    .option(...HOOK)
    .option(...INCLUDE_KEY)
    .action(async (options: VerbOptions) => {
      const { createCommand } = await import('./backup-command.ts')
      await createCommand(configFrom(options), options)
    })
  withSettings(backup.command('schedule'))
    .description('write backups regularly until it is stopped')
    .requiredOption(...TO)
    .option('--every <duration>', 'from 1m to 365d', '1d')
    .option(...KEEP)
    .option(...HOOK)
    .option(...INCLUDE_KEY)
    .action(async (options: VerbOptions) => {
      const { scheduleCommand } = await import('./backup-command.ts')
      await scheduleCommand(configFrom(options), options)
    })
  withSettings(backup.command('verify <file>'), [])
    .description('unpack a backup into a temporary folder, and check all of it')
    .action(async (file: string, options: VerbOptions) => {
      const { verifyCommand } = await import('./backup-command.ts')
      await verifyCommand(configFrom(options), file)
    })
  withSettings(backup.command('restore <file>'))
    .description('write the database of a backup to the data folder, which must have none')
    .action(async (file: string, options: VerbOptions) => {
      const { restoreCommand } = await import('./backup-command.ts')
      await restoreCommand(configFrom(options), file)
    })
}
