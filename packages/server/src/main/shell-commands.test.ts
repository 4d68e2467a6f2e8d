// Completion and the manual page: complete, valid for the shells and for groff, and the same words as the help.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeWith, testWith } from '../../../../scripts/test-requirements.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { runCommand } from '../testing/run-command.ts'

const scripts: Record<string, string> = {}
let manual = ''

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await runCommand('completion', shell)).out
  manual = (await runCommand('manual')).out
})

function runProgram(command: string, args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', input })
  return { status, out: stdout, err: stderr }
}

/** What is offered for the last word. */
const CASES: readonly {
  readonly line: readonly string[]
  offered: readonly string[]
  not: readonly string[]
}[] = [
  { line: ['zon'], offered: ['zones'], not: ['records', 'zonereeve'] },
  { line: ['zones', ''], offered: ['list', 'get', 'create', 'delete'], not: ['records', 'serve'] },
  { line: ['zones', 'delete', '--y'], offered: ['--yes'], not: ['--url'] },
  { line: ['zones', 'list', '-o', ''], offered: ['table', 'json', 'ndjson', 'csv'], not: ['--url', 'list'] },
  { line: ['records', 'list', 'example.com', '--ty'], offered: ['--type'], not: ['--search'] },
  { line: ['dnssec', 'example.com', 'no-command', ''], offered: [], not: ['serve'] },
]

describe('completion in bash', () => {
  test.each(CASES)('of $line', ({ line, offered, not }) => {
    const words = ['zonereeve', ...line].map((word) => `'${word}'`).join(' ')
    const { out, err } = runProgram(
      'bash',
      ['--norc', '-s'],
      `${scripts['bash']}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length}; _zonereeve; printf '%s\\n' "\${COMPREPLY[@]}"\n`,
    )
    const replies = out.split('\n')
    expect(err).toBe('')
    expect(offered.filter((word) => !replies.includes(word))).toEqual([])
    expect(not.filter((word) => replies.includes(word))).toEqual([])
  })
})

describeWith('fish', 'completion in fish', () => {
  test.each(CASES)('of $line', ({ line, offered, not }) => {
    const file = join(scratchFolder(), 'zonereeve.fish')
    writeFileSync(file, scripts['fish'] ?? '')
    const typed = ['zonereeve', ...line].join(' ')
    const { out, err } = runProgram('fish', ['--no-config', '-c', `source ${file}; complete -C '${typed}'`])
    const replies = out.split('\n').map((reply) => reply.split('\t')[0])
    expect(err).toBe('')
    expect(offered.filter((word) => !replies.includes(word))).toEqual([])
    expect(not.filter((word) => replies.includes(word))).toEqual([])
  })
})

testWith('zsh', 'zsh reads its script', () => {
  const load = `autoload -U compinit && compinit -D\n${scripts['zsh']}\nprint -- $_comps[zonereeve]\n`
  const { status, out, err } = runProgram('zsh', ['-f'], load)
  expect([status, err]).toEqual([0, ''])
  expect(out).toMatch(/_zonereeve/)
})

test('a shell that is not supported is refused by name', async () => {
  expect(await runCommand('completion', 'tcsh')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/Allowed choices are bash, zsh, fish/) as string,
  })
})

describe('the manual page', () => {
  test('has every command and option of the help, and the exit codes', async () => {
    const { out: help } = await runCommand('--help')
    const commands = [...help.matchAll(/^ {2}([a-z-]+)(\|[a-z]+)? /gm)].map(([, name]) => name ?? '')
    expect(commands.length).toBeGreaterThan(15)
    const plain = manual.replaceAll('\\-', '-')
    const absent = commands.filter((name) => name !== 'help' && !plain.includes(`.SS zonereeve ${name}`))
    expect(absent).toEqual([])
    const { out: listHelp } = await runCommand('records', 'list', '--help')
    const options = [...listHelp.matchAll(/^ {2}(-.*?) {2}/gm)].map(([, flags]) => flags ?? '')
    expect(options.length).toBeGreaterThan(4)
    expect(options.filter((flags) => !plain.includes(`.B ${flags}\n`))).toEqual([])
    expect(manual).toMatch(/\.B 75\ntry again later/)
  })

  testWith('groff', 'is formatted without a warning', () => {
    const { status, out, err } = runProgram('groff', ['-man', '-Tutf8', '-ww', '-rLL=100n'], manual)
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('ZONEREEVE(1)')
  })
})
