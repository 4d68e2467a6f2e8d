// zonereeve backup: drills of backup and restore with the real program, and what must not happen on the way.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { OPERATIONS } from '@zonereeve/contract'
import { listBackups, verifyBackup } from '@zonereeve/backup'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '@zonereeve/platform'
import { openSqlite } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { runCommand, type Ended } from '../../testing/run-command.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { seedFirewall } from './demo-firewall.ts'
import { seedMonitoring } from './demo-monitoring.ts'

const PASSPHRASE = 'a passphrase of the tests'
const VARIABLE = 'ZONEREEVE_BACKUP_PASSPHRASE'

let data: string
let target: string
let folder: string
beforeEach(() => {
  const root = scratchFolder()
  data = join(root, 'data')
  target = join(root, 'restored')
  folder = join(root, 'backups')
})
afterEach(() => void vi.unstubAllEnvs())

const create = (...options: string[]): Promise<Ended> =>
  runCommand('backup', 'create', '--data', data, '--to', folder, ...options)
const restore = (path: string): Promise<Ended> => runCommand('backup', 'restore', path, '--data', target)
const verify = (path: string): Promise<Ended> => runCommand('backup', 'verify', path)

/** A server with a zone of everything that the demo has, signed, and a TSIG secret. */
async function startFilled(): Promise<TestApp> {
  const app = await startTestApp({ database: join(data, 'zonereeve.db') })
  const { id } = await app.must('POST', '/zones', { name: 'example.com' })
  const record = { type: 'A', name: 'www', content: '192.0.2.1', comment: 'kept', tags: ['a:b'] }
  await app.must('POST', `/zones/${id}/dns_records`, record)
  await app.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  const tsig = { name: 'key.example.', algo: 'hmac-sha256.', secret: Buffer.alloc(32, 7).toString('base64') }
  await app.must('POST', `/accounts/${app.accountId}/secondary_dns/tsigs`, tsig)
  await seedMonitoring(app, systemClock(), id)
  await seedFirewall(app)
  return app
}

/** Bodies of all answers to GET, by path: every list, and every item of each list. */
async function allAnswers(app: TestApp): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  app.eventStreams.close() // streams of events end at once
  const get = async (path: string): Promise<unknown> => {
    const { status, text, json } = await app.call({ method: 'GET', path })
    answers.set(path, `${status} ${text}`)
    return json.result
  }
  const zones = (await get('/zones')) as { id: string }[]
  const scopes = { zone_id: zones.map(({ id }) => id), account_id: [app.accountId] }
  for (const { method, path } of OPERATIONS) {
    if (method === 'GET') for (const filled of await fill(path, scopes, get)) await get(filled)
  }
  return answers
}

/** Replaces each parameter of a path by every ID: known ones, or those that the list at this path has. */
async function fill(
  path: string,
  scopes: Readonly<Record<string, readonly string[]>>,
  get: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const [parameter, name = ''] = /\{(\w+)\}/.exec(path) ?? []
  if (parameter === undefined) return [path]
  const listed = scopes[name] ?? idsOf(await get(path.slice(0, path.indexOf(`/${parameter}`))))
  const filled = await Promise.all(listed.map((id) => fill(path.replace(parameter, id), scopes, get)))
  return filled.flat()
}

/** The cursor of edges names the process that gave it, a summary of events ends now, and start and memory are of a process. */
const withoutProcess = (answer: string | undefined): string | undefined =>
  answer
    ?.replace(/"cursor":"[0-9a-f]{16}\.\d+"/, '')
    .replace(/"until":"[^"]*"/, '')
    .replace(/"(started_at":"[^"]*"|memory_bytes":\d+)/g, '')

const idsOf = (result: unknown): string[] =>
  Array.isArray(result)
    ? result.flatMap((item: unknown) =>
        typeof item === 'object' && item !== null && 'id' in item ? [String(item.id)] : [],
      )
    : []

describe('a drill', () => {
  const drills: [name: string, passphrase: string | undefined, options: string[], isKeyIncluded: boolean][] =
    [
      ['encrypted, with the key in it', PASSPHRASE, [], true],
      ['not encrypted, the key kept apart', undefined, [], false],
    ]
  test.each(drills)(
    '%s: every answer is the same after a restore',
    async (_, passphrase, options, isKeyIncluded) => {
      if (passphrase !== undefined) vi.stubEnv(VARIABLE, passphrase)
      const app = await startFilled()
      const before = await allAnswers(app)
      const created = await create(...options)
      expect(created.code).toBe(0)
      // Written after the backup, so not part of it.
      await app.must('POST', '/zones', { name: 'later.example' })
      await app.close()
      const path = created.out.trim()
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(await verify(path)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/: complete and undamaged/),
      })
      expect(await restore(path)).toMatchObject({ code: 0 })
      expect(existsSync(join(target, 'zonereeve.db.key'))).toBe(isKeyIncluded)
      if (!isKeyIncluded)
        writeFileSync(join(target, 'zonereeve.db.key'), readFileSync(join(data, 'zonereeve.db.key')), {
          mode: 0o600,
        })
      expect(modes(target)).toEqual([0o600, 0o600])
      const restored = await startTestApp({ database: join(target, 'zonereeve.db') })
      const after = await allAnswers(restored)
      await restored.close()
      expect(before.size).toBeGreaterThan(100)
      expect([...after.keys()]).toEqual([...before.keys()])
      const differing = [...before].filter(
        ([path, answer]) => withoutProcess(after.get(path)) !== withoutProcess(answer),
      )
      expect(differing.map(([path, answer]) => [path, answer, after.get(path)])).toEqual([])
    },
  )

  test('while the server writes: a backup has every write that was acknowledged before it began', async () => {
    const app = await startTestApp({ database: join(data, 'zonereeve.db') })
    let acknowledged = 0
    let stopped = false
    const writing = (async () => {
      while (!stopped) {
        await app.must('POST', '/zones', { name: `z${acknowledged}.example` })
        acknowledged++
      }
    })()
    const counts: [atLeast: number, found: number | undefined][] = []
    for (let round = 0; round < 3; round++) {
      await sleep(50)
      const atLeast = acknowledged
      const { out } = await create()
      const header = await verifyBackup({ path: out.trim(), passphrase: undefined }, openSqlite)
      counts.push([atLeast, header.rows['zones']])
    }
    stopped = true
    await writing
    await app.close()
    for (const [atLeast, found] of counts) expect(found).toBeGreaterThanOrEqual(atLeast)
    expect(acknowledged).toBeGreaterThan(0)
  })
})

describe('a backup that is not usable is rejected, and nothing is restored', () => {
  async function made(passphrase?: string): Promise<string> {
    if (passphrase !== undefined) vi.stubEnv(VARIABLE, passphrase)
    const app = await startFilled()
    const { out } = await create()
    await app.close()
    return out.trim()
  }
  const damaged: [name: string, damage: (path: string) => void, message: RegExp][] = [
    ['cut off', (path) => alter(path, (bytes) => bytes.subarray(0, -100)), /does not match its checksum/],
    [
      'a bit of its body changed',
      (path) => alter(path, (bytes) => flip(bytes, bytes.length - 200)),
      /checksum/,
    ],
    [
      'a bit of its header changed',
      (path) => alter(path, (bytes) => flip(bytes, 60)),
      /checksum|header is damaged/,
    ],
    [
      'another file',
      (path) => writeFileSync(path, 'SQLite format 3\0'),
      /is not a backup that this version reads/,
    ],
    ['empty', (path) => writeFileSync(path, ''), /is not a backup that this version reads/],
    ['only its first line', (path) => writeFileSync(path, 'zonereeve-backup 1\n{}\n'), /header is damaged/],
  ]
  test('damaged files', async () => {
    const path = await made()
    const intact = readFileSync(path)
    for (const [name, damage, message] of damaged) {
      writeFileSync(path, intact)
      damage(path)
      for (const attempt of [verify, restore]) {
        const { code, err } = await attempt(path)
        expect([name, code, err]).toEqual([name, 1, expect.stringMatching(message)])
      }
      expect([name, existsSync(target) ? readdirSync(target) : []]).toEqual([name, []])
    }
  })

  test('encrypted: no passphrase, a wrong one, and none that is too short', async () => {
    const path = await made(PASSPHRASE)
    expect(readFileSync(path).includes('example.com')).toBe(false)
    vi.stubEnv(VARIABLE, `${PASSPHRASE}!`)
    expect(await restore(path)).toMatchObject({ code: 1, err: expect.stringMatching(/passphrase is wrong/) })
    vi.unstubAllEnvs()
    expect(await verify(path)).toMatchObject({ code: 1, err: expect.stringMatching(/is encrypted: set/) })
    vi.stubEnv(VARIABLE, 'short')
    expect(await verify(path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must be 12 to 200 characters/),
    })
    expect(existsSync(target) ? readdirSync(target) : []).toEqual([])
  })

  test('the target has a database, what is left of one, or another key', async () => {
    const path = await made(PASSPHRASE)
    for (const [file, message] of [
      ['zonereeve.db', /zonereeve\.db exists/],
      ['zonereeve.db-wal', /zonereeve\.db-wal exists/],
      ['zonereeve.db.marker', /zonereeve\.db\.marker exists/],
      ['zonereeve.db.key', /has another key than the backup/],
    ] as const) {
      target = join(dirname(target), file.replaceAll('.', '-'))
      mkdirSync(target)
      writeFileSync(join(target, file), 'present\n')
      expect(await restore(path)).toMatchObject({ code: 1, err: expect.stringMatching(message) })
      expect([readdirSync(target), readFileSync(join(target, file), 'utf8')]).toEqual([[file], 'present\n'])
    }
  })
})

describe('folder of backups', () => {
  test('--keep deletes the oldest, and nothing else; a failed hook deletes none', async () => {
    const app = await startTestApp({ database: join(data, 'zonereeve.db') })
    const paths: string[] = []
    mkdirSync(folder)
    writeFileSync(join(folder, 'zonereeve-notes.backup'), '')
    const hook = join(folder, 'hook.sh')
    writeFileSync(hook, `#!/bin/sh\n[ -z "$ZONEREEVE_DATA" ] && echo "$1" >> "${folder}/carried"\n`)
    chmodSync(hook, 0o700)
    for (let round = 0; round < 3; round++) paths.push((await create('--hook', hook)).out.trim())
    expect(listBackups(folder)).toEqual(paths)
    const failed = await create('--keep', '1', '--hook', '/bin/false')
    expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(/stays, but the hook ended with 1/) })
    expect(listBackups(folder)).toHaveLength(4)
    const last = (await create('--keep', '2')).out.trim()
    expect(listBackups(folder)).toEqual([failed.out.trim(), last])
    expect(readFileSync(join(folder, 'carried'), 'utf8').trim().split('\n')).toEqual(paths)
    expect(existsSync(join(folder, 'zonereeve-notes.backup'))).toBe(true)
    await app.close()
  })

  test('--include-key puts the key into a backup that is not encrypted', async () => {
    const app = await startTestApp({ database: join(data, 'zonereeve.db') })
    const { out, err } = await create('--include-key')
    await app.close()
    expect(err).not.toMatch(/is needed after a restore/)
    expect(await restore(out.trim())).toMatchObject({ code: 0 })
    const key = (place: string) => readFileSync(join(place, 'zonereeve.db.key'), 'utf8')
    expect(key(target)).toBe(key(data))
  })

  test('schedule writes one at once, goes on after a failure, and ends on SIGTERM', async () => {
    const app = await startTestApp({ database: join(data, 'zonereeve.db') })
    const running = runCommand('backup', 'schedule', '--data', data, '--to', folder, '--hook', '/bin/false')
    while (listBackups(folder).length === 0) await sleep(20)
    await sleep(100)
    process.emit('SIGTERM')
    expect(await running).toMatchObject({ code: 0, err: expect.stringMatching(/the hook ended with 1/) })
    expect(listBackups(folder)).toHaveLength(1)
    await app.close()
  })

  test.each([
    ['no database', [], /database not found/, 1],
    ['--keep 0', ['--keep', '0'], /--keep must be a whole number from 1 to 10000; got 0/, 1],
    ['--keep all', ['--keep', 'all'], /--keep must be a whole number/, 1],
  ])('%s: an error, and no folder', async (_, options, message, code) => {
    expect(await create(...options)).toMatchObject({ code, err: expect.stringMatching(message) })
    expect(existsSync(folder)).toBe(false)
  })

  test.each([['30s'], ['366d'], ['often']])('schedule --every %s is rejected', async (every) => {
    const ended = await runCommand('backup', 'schedule', '--data', data, '--to', folder, '--every', every)
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/--every must be a duration from 1m to 365d/),
    })
  })

  test('kill -9 at any time leaves no half file under a valid name, and the next run removes what is left', async () => {
    const app = await startFilled()
    const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
    const program = `
      const { createBackup } = await import(${source('../../../../backup/src/index.ts')})
      const { openSqlite } = await import(${source('../../../../storage/src/sqlite-driver.ts')})
      const wish = ${JSON.stringify({ database: join(data, 'zonereeve.db'), folder, isKeyConfigured: false, includesKey: false, version: '0' })}
      console.log('begins')
      for (;;) await createBackup({ ...wish, passphrase: undefined, now: new Date() }, openSqlite)
    `
    const loader = fileURLToPath(import.meta.resolve('tsx'))
    for (const afterMillis of [1, 20, 45, 80, 130]) {
      const child = spawn(process.execPath, ['--import', loader, '--input-type=module', '--eval', program])
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
      expect(child.exitCode).toBeNull()
      await sleep(afterMillis)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    for (const path of listBackups(folder)) await verifyBackup({ path, passphrase: undefined }, openSqlite)
    const { out } = await create()
    const leftovers = [...readdirSync(folder), ...readdirSync(data)].filter((name) =>
      name.includes('partial'),
    )
    expect([existsSync(out.trim()), leftovers]).toEqual([true, []])
    await app.close()
  })
})

const modes = (path: string): number[] =>
  readdirSync(path).map((name) => statSync(join(path, name)).mode & 0o777)

function alter(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)))
}

function flip(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes
}
