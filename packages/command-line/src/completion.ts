// Scripts that complete commands, options and their values in shells.
import type { CommandEntry } from './command-tree.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** The script for a shell: commands and options, values where they are few, files otherwise. */
export function completionScript(shell: Shell, commands: readonly CommandEntry[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands)
    case 'zsh':
      // zsh runs completion functions of bash.
      return `#compdef zonereeve\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`
    case 'fish':
      return fishScript(commands)
  }
}

const pathOf = ({ path }: CommandEntry): string => path.join(' ')

const namesOf = ({ short, long }: CommandEntry['options'][number]): string[] =>
  short === undefined ? [long] : [short, long]

function bashScript(commands: readonly CommandEntry[]): string {
  const steps = commands.filter(({ path }) => path.length > 0).map((entry) => `"${pathOf(entry)}"`)
  const words = commands.map(
    (entry) =>
      `    "${pathOf(entry)}") words="${[...entry.subcommands, ...entry.options.flatMap(namesOf)].join(' ')}" ;;`,
  )
  const values = commands.flatMap((entry) =>
    entry.options.flatMap((option) => {
      if (!option.takesValue) return []
      const patterns = namesOf(option).map((name) => `"${pathOf(entry)} ${name}"`)
      return [`    ${patterns.join('|')}) words="${option.choices.join(' ')}" ;;`]
    }),
  )
  // Without words, bash completes names of files.
  return `_zonereeve() {
  local current=\${COMP_WORDS[COMP_CWORD]} command= words= index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${command:+$command }\${COMP_WORDS[index]}"
    case "$word" in
    ${steps.join('|')}) command=$word ;;
    esac
  done
  case "$command" in
${words.join('\n')}
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _zonereeve zonereeve
`
}

const quoteFish = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

function fishScript(commands: readonly CommandEntry[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map((entry) => quoteFish(pathOf(entry)))
  const lines = commands.flatMap((entry) => {
    const at = `complete -c zonereeve -n ${quoteFish(`__zonereeve_at ${quoteFish(pathOf(entry))}`)}`
    const descriptionOf = (name: string): string =>
      commands.find(({ path }) => path.join(' ') === [...entry.path, name].join(' '))?.description ?? '' // each has one
    return [
      ...entry.subcommands.map((name) => `${at} -f -a ${name} -d ${quoteFish(descriptionOf(name))}`),
      ...entry.options.map(({ short, long, description, choices, takesValue }) => {
        const names = `${short === undefined ? '' : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`
        const value = choices.length > 0 ? ` -x -a ${quoteFish(choices.join(' '))}` : takesValue ? ' -r' : ''
        return `${at}${names}${value} -d ${quoteFish(description)}`
      }),
    ]
  })
  return `function __zonereeve_at
  set -l command
  for word in (commandline -opc)[2..]
    contains -- (string trim -- "$command $word") ${paths.join(' ')}
    and set -a command $word
  end
  test "$command" = "$argv[1]"
end
${lines.join('\n')}
`
}
