// zonereeve completion and zonereeve manual: what shells and man(1) read, from the declarations of the commands.
import { Argument, type Command } from 'commander'
import { listCommands } from './command-tree.ts'
import { completionScript, SHELLS, type Shell } from './completion.ts'
import { manualPage } from './manual.ts'

/** Added last, so that the other commands are known. */
export function addShellCommands(program: Command, version: string): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(SHELLS))
    .description(
      'print a script for completion: eval "$(zonereeve completion bash)", or zonereeve completion fish | source',
    )
    .action((shell: Shell) => void process.stdout.write(completionScript(shell, listCommands(program))))
  program
    .command('manual')
    .description('print the manual page in the format of man(1): zonereeve manual | man -l -')
    .action(() => {
      const described = { version, description: program.description(), commands: listCommands(program) }
      process.stdout.write(manualPage(described))
    })
}
