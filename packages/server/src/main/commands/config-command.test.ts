// zonereeve config show: values, origins, no secrets.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { loadConfig, SETTINGS } from '@zonereeve/config'
import { showConfig } from './config-command.ts'
import { main } from '../cli.ts'

const TOKEN = 'secret-token-of-the-administrator-0123456'
const KEY = '0123456789abcdef0123456789abcdef01234'

function captured(): { out: () => string; err: () => string } {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const text = (spy: typeof out) => spy.mock.calls.map(([chunk]) => String(chunk)).join('')
  return { out: () => text(out), err: () => text(err) }
}
afterEach(() => void vi.restoreAllMocks())

describe('config show', () => {
  const config = loadConfig({
    flags: { http: '[::1]:1234' },
    environment: {
      ZONEREEVE_ADMIN_TOKEN: TOKEN,
      ZONEREEVE_ADMIN_KEY: KEY,
      ZONEREEVE_PROFILE: 'vendor',
      ZONEREEVE_TYPO: 'x',
    },
  })

  test('prints every setting with its value and origin, and no secret', () => {
    const { out, err } = captured()
    showConfig(config, true)
    const rows = out()
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(rows.map(([name]) => name)).toEqual(Object.values(SETTINGS).map(({ name }) => name))
    expect(rows).toContainEqual(['http', '[::1]:1234', 'flag --http'])
    expect(rows).toContainEqual(['profile', 'vendor', 'environment ZONEREEVE_PROFILE'])
    expect(rows).toContainEqual(['admin-token', '(secret)', 'environment ZONEREEVE_ADMIN_TOKEN'])
    expect(rows).toContainEqual(['admin-key', '(secret)', 'environment ZONEREEVE_ADMIN_KEY'])
    expect(rows).toContainEqual(['trust-proxy', '(empty)', 'default'])
    expect(out() + err()).not.toContain(TOKEN)
    expect(out() + err()).not.toContain(KEY)
    expect(err()).toBe('zonereeve: ZONEREEVE_TYPO is not a setting and has no effect\n')
  })

  test('prints origins only on request, and reports what is not set', () => {
    const { out } = captured()
    showConfig(loadConfig({ flags: {}, environment: {} }), false)
    const rows = out()
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(rows.every((row) => row.length === 2)).toBe(true)
    expect(rows).toContainEqual(['admin-token', '(not set)'])
  })
})

describe('the command line', () => {
  const rows: [name: string, argv: string[], code: number, said: RegExp][] = [
    [
      'a wrong setting',
      ['config', 'show', '--http', 'nonsense'],
      2,
      /^zonereeve: http "nonsense" \(flag --http\): must be HOST:PORT/,
    ],
    [
      'a missing file',
      ['config', 'show', '--config', '/nowhere'],
      2,
      /^zonereeve: file \/nowhere: no such file or folder$/m,
    ],
    ['an unknown flag', ['config', 'show', '--nonsense'], 2, /unknown option '--nonsense'/],
    ['a secret as a flag', ['config', 'show', '--admin-token', TOKEN], 2, /unknown option '--admin-token'/],
    ['an unknown command', ['nonsense'], 2, /unknown command 'nonsense'/],
    ['a token without a name', ['token', 'create'], 2, /required option '--name <name>'/],
  ]
  test.each(rows)('%s is reported in one line, with its exit code', async (_, argv, code, given) => {
    const { out, err } = captured()
    expect(await main(argv)).toBe(code)
    expect(err()).toMatch(given)
    expect(out()).toBe('')
  })

  test('the help of a command shows what it needs, and the command takes every setting', async () => {
    const { out } = captured()
    expect(await main(['token', 'create', '--help'])).toBe(0)
    expect(out()).toMatch(/--data .*--config .*--template /s)
    expect(out()).not.toMatch(/--dns-tls /)
    expect(await main(['token', 'create', '--dns-tls', 'off', '--name', 'x', '--template', 'none'])).toBe(1)
  })

  test('help and version exit with success', async () => {
    const { out } = captured()
    expect([await main(['--help']), await main(['--version'])]).toEqual([0, 0])
    expect(out()).toMatch(/Usage: zonereeve/)
    expect(out()).toMatch(/^\d+\.\d+\.\d+$/m)
  })
})
