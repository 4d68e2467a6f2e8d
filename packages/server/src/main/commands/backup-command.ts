// zonereeve backup create, schedule, verify, restore.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createBackup,
  deleteOldBackups,
  listBackups,
  millisUntilDue,
  noteBackup,
  restoreBackup,
  runHook,
  verifyBackup,
  type Header,
} from '@zonereeve/backup'
import { parseTtl } from '@zonereeve/dns'
import { databasePath, environmentWithoutSettings, type Config } from '@zonereeve/config'
import { VERSION } from '../../version.ts'
import { describeError } from '@zonereeve/platform'
import { openSqlite } from '@zonereeve/storage'
import type { VerbOptions } from './backup-verbs.ts'

const MAX_KEEP = 10_000
const MIN_EVERY_SECONDS = 60
const MAX_EVERY_SECONDS = 365 * 86_400
/** After a failure, unless the next one is due earlier. */
const RETRY_MILLIS = 300_000
const MEBIBYTE = 1_048_576

interface Wish {
  readonly folder: string
  readonly keep: number | undefined
  readonly hook: string | undefined
  readonly includesKey: boolean
}

export async function createCommand(config: Config, options: VerbOptions): Promise<void> {
  await create(config, wishOf(options))
}

/** Runs until SIGTERM or SIGINT. A failure is reported, and the backup tried again. */
export async function scheduleCommand(config: Config, options: VerbOptions): Promise<void> {
  const wish = wishOf(options)
  const everyMillis = parseEvery(String(options['every']))
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const pause = (millis: number): Promise<void> =>
    sleep(millis, undefined, { signal: stopping.signal }).catch(() => undefined)
  while (!stopping.signal.aborted) {
    const millis = millisUntilDue(listBackups(wish.folder), everyMillis, new Date())
    if (millis > 0) {
      // Timers are limited to 24 days.
      await pause(Math.min(millis, MAX_TIMER_MILLIS))
      continue
    }
    try {
      await create(config, wish)
    } catch (error) {
      process.stderr.write(`zonereeve: ${describeError(error)}\n`)
      await pause(Math.min(RETRY_MILLIS, everyMillis))
    }
  }
}

const MAX_TIMER_MILLIS = 86_400_000

export async function verifyCommand({ backupPassphrase: passphrase }: Config, path: string): Promise<void> {
  const header = await verifyBackup({ path: present(path), passphrase }, openSqlite)
  process.stdout.write(`${path}: complete and undamaged, made ${header.created}\n`)
  noteKey(header)
}

export async function restoreCommand(config: Config, path: string): Promise<void> {
  const database = databasePath(config)
  const source = { path: present(path), passphrase: config.backupPassphrase }
  const header = await restoreBackup(source, database, openSqlite)
  process.stdout.write(`${database}: restored, as it was ${header.created}\n`)
  const hasKey = existsSync(`${database}.key`) || config.keyEncryptionSecret !== undefined
  if (!hasKey) noteKey(header)
}

async function create(config: Config, { folder, keep, hook, includesKey }: Wish): Promise<void> {
  const database = databasePath(config)
  requireOwner(database)
  const passphrase = config.backupPassphrase
  const isKeyConfigured = config.keyEncryptionSecret !== undefined
  const { path, octets, header } = await createBackup(
    { database, folder, passphrase, isKeyConfigured, includesKey, version: VERSION, now: new Date() },
    openSqlite,
  )
  noteBackup(database, {
    created: header.created,
    path: resolve(path),
    octets,
    isEncrypted: passphrase !== undefined,
  })
  process.stdout.write(`${path}\n`)
  const state = passphrase === undefined ? 'not encrypted' : 'encrypted'
  process.stderr.write(`note: ${(octets / MEBIBYTE).toFixed(1)} MiB, verified, ${state}\n`)
  noteKey(header)
  if (hook !== undefined) await runHook(hook, path, environmentWithoutSettings())
  if (keep !== undefined)
    for (const deleted of deleteOldBackups(folder, keep)) process.stderr.write(`note: deleted ${deleted}\n`)
}

function noteKey({ key }: Pick<Header, 'key'>): void {
  if (key === 'separate')
    process.stderr.write('note: the key file zonereeve.db.key is not in it, and is needed after a restore\n')
  if (key === 'configured')
    process.stderr.write(
      'note: ZONEREEVE_KEY_ENCRYPTION_SECRET is not in it, and is needed after a restore\n',
    )
}

/** SQLite's files beside the database would belong to root, and the server could not use them. */
function requireOwner(database: string): void {
  if (process.getuid?.() !== 0 || !existsSync(database)) return
  const { uid } = statSync(database)
  if (uid !== 0)
    throw new Error(
      `${database} belongs to the user with the number ${uid}: run this as that user, like runuser -u zonereeve -- zonereeve backup create`,
    )
}

function present(path: string): string {
  if (!existsSync(path)) throw new Error(`${path}: no such file`)
  return path
}

function wishOf(options: VerbOptions): Wish {
  const { to, keep, hook, includeKey } = options
  if (to === undefined) throw new Error('the option --to has no value')
  return {
    folder: to,
    keep: keep === undefined ? undefined : parseKeep(keep),
    hook,
    includesKey: includeKey !== undefined,
  }
}

function parseKeep(text: string): number {
  const count = Number(text)
  if (/^\d{1,5}$/.test(text) && count >= 1 && count <= MAX_KEEP) return count
  throw new Error(`--keep must be a whole number from 1 to ${MAX_KEEP}; got ${text}`)
}

function parseEvery(text: string): number {
  const seconds = parseTtl(text)
  if (seconds !== undefined && seconds >= MIN_EVERY_SECONDS && seconds <= MAX_EVERY_SECONDS)
    return seconds * 1000
  throw new Error(`--every must be a duration from 1m to 365d, like 6h or 1d; got ${text}`)
}
