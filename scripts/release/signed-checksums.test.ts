// Signing and verifying the checksums of a release, with the commands of docs/operations.md.
import { createHash } from 'node:crypto'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../test-requirements.ts'

const MANUAL = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
/** All but the audit, which is a stage of its own. */
const COMMANDS = (/```sh\nnpm audit [^\n]*\n(ssh-keygen [^]*?)```/.exec(MANUAL)?.[1] ?? '').trim().split('\n')
const FILE = 'zonereeve.tgz'

describeWith('ssh-keygen', 'signed checksums', () => {
  let folder = ''
  const run = (command: string) =>
    spawnSync('bash', ['-c', command], {
      cwd: folder,
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    })

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonereeve-signed-'))
    mkdirSync(join(folder, '.ssh'))
    symlinkSync('.', join(folder, 'release'))
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, '.ssh/release_key')])
    const key = readFileSync(join(folder, '.ssh/release_key.pub'), 'utf8')
    writeFileSync(join(folder, 'allowed_signers'), `releases@example.com ${key}`)
    writeFileSync(join(folder, FILE), 'the package')
    const digest = createHash('sha256').update('the package').digest('hex')
    writeFileSync(join(folder, 'SHA256SUMS'), `${digest}  ${FILE}\n`)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the documented commands sign, verify and compare', () => {
    expect(COMMANDS).toHaveLength(3)
    expect(COMMANDS.map((command) => [command, run(command).status])).toEqual(
      COMMANDS.map((command) => [command, 0]),
    )
  })

  test.each([
    ['changed checksums', 'SHA256SUMS', 1, 255],
    ['a changed file', FILE, 2, 1],
  ])('%s are refused', (_, file, command, status) => {
    const [path, verify = ''] = [join(folder, file), COMMANDS[command]]
    const before = readFileSync(path)
    writeFileSync(path, 'x')
    expect(run(verify).status).toBe(status)
    writeFileSync(path, before)
    expect(run(verify).status).toBe(0)
  })
})
