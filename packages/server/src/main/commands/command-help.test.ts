// The help of a command shows the settings that it reads: all of them, and no others.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { SETTINGS, type Config } from '@zonereeve/config'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startTestApp } from '../../testing/app.ts'

const read = new Set<string>()
let main: (args: readonly string[]) => Promise<number>

// Other tests may have loaded the modules without this.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock('@zonereeve/config', async (importOriginal) => {
    const original = await importOriginal<{ loadConfig(from: object): Config }>()
    const loadConfig = (from: object) =>
      new Proxy(original.loadConfig({ ...from, environment: {} }), {
        get(config, name, receiver) {
          read.add(String(name))
          return Reflect.get(config, name, receiver) as unknown
        },
      })
    return { ...original, loadConfig }
  })
  ;({ main } = await import('../cli.ts'))
})
afterAll(() => {
  vi.doUnmock('@zonereeve/config')
  vi.resetModules()
})

const AUTHORITY = [
  '--acme-directory',
  'https://ca.example',
  '--acme-terms',
  'agreed',
  '--public-url',
  'https://a.example',
]

let folder: string
beforeEach(async () => {
  folder = scratchFolder()
  const app = await startTestApp({ database: join(folder, 'zonereeve.db') })
  await app.close()
  read.clear()
})
afterEach(() => void vi.restoreAllMocks())

interface HelpCase {
  readonly command: readonly string[]
  readonly rest?: (folder: string) => readonly string[]
  /** What this one reads is not counted. */
  readonly before?: (folder: string) => readonly string[]
  /** One that fails may read less than its help shows. */
  readonly code?: number
}

const backedUp = (at: string) => ['backup', 'create', '--data', at, '--to', join(at, 'backups')]
const backupIn = (at: string) => join(at, 'backups', readdirSync(join(at, 'backups'))[0] ?? 'none')

test.each<HelpCase>([
  { command: ['token', 'create'], rest: () => ['--name', 'a'] },
  { command: ['admin', 'link'] },
  {
    command: ['migrate-database'],
    rest: (at) => ['--from', `sqlite:${at}/zonereeve.db`, '--to', 'postgres://a@127.0.0.1:1/b'],
    code: 1, // no such server
  },
  { command: ['audit', 'verify'] },
  { command: ['audit', 'export'], rest: (at) => ['--to', join(at, 'audit')] },
  { command: ['backup', 'create'], rest: (at) => ['--to', join(at, 'backups')] },
  { command: ['backup', 'verify'], before: backedUp, rest: (at) => [backupIn(at)] },
  {
    command: ['backup', 'restore'],
    before: backedUp,
    rest: (at) => ['--data', join(at, 'backups'), backupIn(at)],
  },
  { command: ['crs', 'show'] },
  { command: ['crs', 'remove'] },
  { command: ['status'], rest: () => AUTHORITY, code: 1 }, // nothing serves
])('$command', async ({ command, rest = () => [], before, code = 0 }) => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await main([...command, '--help'])
  const help = out.mock.calls.map(([chunk]) => String(chunk)).join('')
  if (before !== undefined) await main(before(folder))
  read.clear()
  expect(await main([...command, '--data', folder, ...rest(folder)])).toBe(code)
  const flags = Object.entries(SETTINGS).filter(([, { placeholder }]) => placeholder !== undefined)
  const namesOf = (found: typeof flags) => found.map(([, { name }]) => name)
  expect(namesOf(flags.filter(([, { name }]) => help.includes(` --${name} <`)))).toEqual(
    namesOf(flags.filter(([key]) => read.has(key))),
  )
})
