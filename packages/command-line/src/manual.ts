// The manual page zonereeve(1), in the macros of man(7).
import type { CommandEntry } from './command-tree.ts'

export interface Manual {
  readonly version: string
  readonly description: string
  readonly commands: readonly CommandEntry[]
}

/** Exit codes of all commands, as the help and the manual page list them. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'failed; of plan: failed; of doctor: there is a problem'],
  [2, 'wrong use, or a wrong setting; of plan: there are differences'],
  [4, 'the token is missing, unknown, or lacks a permission'],
  [5, 'not found'],
  [75, 'try again later: the server is busy, or a limit is reached'],
]

export function manualPage({ version, description, commands }: Manual): string {
  const sections = [
    `.TH ZONEREEVE 1 "" "zonereeve ${escapeRoff(version)}"`,
    '.SH NAME',
    `zonereeve \\- ${escapeRoff(description.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B zonereeve',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH OPTIONS',
    ...commands.filter(({ path }) => path.length === 0).flatMap(describeOptions),
    '.SH COMMANDS',
    ...commands
      .filter(({ path, subcommands }) => path.length > 0 && subcommands.length === 0)
      .flatMap(describe),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escapeRoff(meaning)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, escapeRoff(meaning)]),
    '.SH FILES',
    ...FILES.flatMap(([name, meaning]) => ['.TP', `.I ${escapeRoff(name)}`, escapeRoff(meaning)]),
  ]
  return `${sections.join('\n')}\n`
}

const ENVIRONMENT = [
  ['ZONEREEVE_URL', 'base URL of the API for commands that use a running server'],
  ['ZONEREEVE_TOKEN', 'their token; ZONEREEVE_TOKEN_FILE names a file with it'],
  ['ZONEREEVE_SERVER', 'name of a server that zonereeve login has stored'],
  ['ZONEREEVE_CONFIG', 'file with settings of the server'],
  [
    'ZONEREEVE_SETTING',
    'every setting of the server, with underscores: ZONEREEVE_RATE_LIMIT is --rate-limit',
  ],
] as const

const FILES = [
  ['/etc/zonereeve/zonereeve.json', 'settings of the Debian package'],
  ['~/.config/zonereeve/servers.json', 'servers and tokens of zonereeve login; only for its owner'],
] as const

const describeOptions = ({ options }: CommandEntry): string[] =>
  options.flatMap(({ flags, description }) => ['.TP', `.B ${escapeRoff(flags)}`, escapeRoff(description)])

function describe(entry: CommandEntry): string[] {
  const { usage, description } = entry
  return [`.SS ${escapeRoff(`zonereeve ${usage}`)}`, escapeRoff(description), ...describeOptions(entry)]
}

/** One line of text: no macro at its start, hyphens that can be copied, and characters beyond ASCII by number. */
function escapeRoff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^ -~]/gu, (character) => `\\[u${hexOf(character)}]`)
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}

const hexOf = (character: string): string =>
  Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')
