// The commands as data, from the same declarations as `--help`: for completion and for the manual page.
import type { Command } from 'commander'

export interface OptionEntry {
  readonly short: string | undefined
  readonly long: string
  /** As in the help: `-o, --output <format>`. */
  readonly flags: string
  readonly description: string
  readonly choices: readonly string[]
  readonly takesValue: boolean
}

export interface CommandEntry {
  /** Names from below the program to the command; empty for the program. */
  readonly path: readonly string[]
  /** Path, arguments and options, as the help shows them. */
  readonly usage: string
  readonly description: string
  readonly subcommands: readonly string[]
  readonly options: readonly OptionEntry[]
}

/** The program, then all commands in the order of the help. */
export function listCommands(program: Command): readonly CommandEntry[] {
  return entriesOf(program, [])
}

function entriesOf(command: Command, path: readonly string[]): readonly CommandEntry[] {
  const help = command.createHelp()
  const visible = help.visibleCommands(command).filter((sub) => sub.name() !== 'help')
  const options = help.visibleOptions(command).flatMap((option) =>
    option.long === undefined || option.long === null
      ? []
      : [
          {
            short: option.short ?? undefined,
            long: option.long,
            flags: option.flags,
            description: option.description,
            choices: option.argChoices ?? [], // any value
            takesValue: option.required || option.optional,
          },
        ],
  )
  const entry = {
    path,
    usage: [...path, command.usage()].join(' '),
    description: command.description(),
    subcommands: visible.map((sub) => sub.name()),
    options,
  }
  return [entry, ...visible.flatMap((sub) => entriesOf(sub, [...path, sub.name()]))]
}
