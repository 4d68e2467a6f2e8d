// The storage as the features use it: with the key vault for its secrets, and a report of unreadable rows.
import { dirname } from 'node:path'
import {
  type Clock,
  createKeyVault,
  type KeyVault,
  KeyVaultError,
  type Log,
  systemClock,
} from '@zonereeve/platform'
import type { ChangeEvent } from './change-event.ts'
import { isTemporary } from './failures.ts'
import { createKeyFile, keyFileOf, readKeyFile } from './key-file.ts'
import { makeFolder } from './make-folder.ts'
import { restrictFiles } from './private-files.ts'
import {
  IN_MEMORY,
  openSqliteStorage as openPlainStorage,
  type StorageOptions as PlainOptions,
} from './sqlite.ts'
import { openSqlite } from './sqlite-driver.ts'
import { hasSealedSecrets, mayHavePlainCopies, noteErased, sealStoredSecrets } from './stored-secrets.ts'
import type {
  Reader as PlainReader,
  Storage as PlainStorage,
  Transaction as PlainTransaction,
} from './storage.ts'
import type { LeaseTimes } from './postgres/lease.ts'
import type { NodeRole } from './postgres/node.ts'
import { joinedHook } from './units.ts'
import { createUnreadableRows, type UnreadableRows } from './unreadable-rows.ts'

interface Shared {
  readonly vault: KeyVault
  readonly unreadable: UnreadableRows
}

export interface Reader extends PlainReader, Shared {}
export interface Transaction extends PlainTransaction, Shared {
  /** Source of the timestamps of change sets. */
  readonly clock: Clock
  /**
   * Delivers the result of `events` once the unit is durable, in order with the commit hooks and under the same
   * rules. It is called once, then. Those of one commit that follow each other are delivered together.
   *
   * @param position of their change set in the log; undefined if they are not in it.
   */
  publish(events: () => readonly ChangeEvent[], position?: number): void
  /** Runs `work` at the end of the unit, in its transaction, in the order of the calls. */
  beforeCommit(work: () => Promise<void>): void
}
export interface Storage extends Omit<PlainStorage, 'offload' | 'write'>, Shared {
  /** This server's part among several nodes; undefined if it is the only one. */
  readonly node?: NodeRole | undefined
  readonly offload: Reader
  write<Result>(
    unit: (tx: Transaction) => Promise<Result>,
    readAhead?: (tx: Reader) => Promise<unknown>,
  ): Promise<Result>
}

export interface StorageOptions extends PlainOptions {
  /** The key that encrypts secrets; default: a key file next to the database. */
  readonly keyEncryptionSecret?: string | undefined
  readonly clock?: Clock
  /** Receives the events of committed units, in commit order, those of one commit together. @param position of the last one in the log */
  readonly deliver?: (events: readonly ChangeEvent[], position: number | undefined) => void | Promise<void>
  /** The server is one of several nodes with one database in PostgreSQL; all have the same key. */
  readonly isNode?: boolean
  /** It is not to take the lease: another node writes. */
  readonly onlyFollows?: boolean
  /** How fast a server that has ended is noticed, with PostgreSQL. */
  readonly leaseTimes?: LeaseTimes
}

/** @throws Error: the database cannot be opened, or its secrets cannot be decrypted */
export async function openSqliteStorage(
  path: string,
  log: Log,
  { keyEncryptionSecret, clock = systemClock(), deliver = () => {}, ...options }: StorageOptions = {},
): Promise<Storage> {
  if (path !== IN_MEMORY) restrictFiles(path)
  const plain = await openPlainStorage(path, log, options)
  try {
    if (path !== IN_MEMORY) restrictFiles(path)
    const vault =
      path === IN_MEMORY
        ? createKeyVault(keyEncryptionSecret)
        : await openVault(
            plain,
            { keyFile: keyFileOf(path), erase: () => eraseDeleted(path) },
            log,
            keyEncryptionSecret,
          )
    const shared = { vault, unreadable: createUnreadableRows(plain, log) }
    return withShared(plain, shared, { clock, deliver })
  } catch (failure) {
    await plain.close()
    throw failure
  }
}

export interface PostgresPlace {
  readonly url: string
  /** The key that encrypts secrets, unless another one is configured; it is created if there is none. */
  readonly keyFile: string
}

/** @throws Error: the database cannot be opened, or its secrets cannot be decrypted */
export async function openPostgresStorage(
  { url, keyFile }: PostgresPlace,
  log: Log,
  {
    keyEncryptionSecret,
    clock = systemClock(),
    deliver = () => {},
    isServer = false,
    isNode = false,
    onlyFollows = false,
    leaseTimes,
  }: StorageOptions = {},
): Promise<Storage> {
  makeFolder(dirname(keyFile))
  const { openPostgres } = await import('./postgres/postgres.ts')
  if (isNode && keyEncryptionSecret === undefined)
    throw new Error('several nodes need ZONEREEVE_KEY_ENCRYPTION_SECRET, the same on all of them')
  const node =
    isNode && keyEncryptionSecret !== undefined ? { secret: keyEncryptionSecret, onlyFollows } : undefined
  const times = leaseTimes === undefined ? {} : { times: leaseTimes }
  const plain = await openPostgres(url, log, { isServer, node, ...times })
  try {
    // Its free pages are PostgreSQL's own.
    const vault = await openVault(plain, { keyFile, erase: async () => {} }, log, keyEncryptionSecret)
    const shared = { vault, unreadable: createUnreadableRows(plain, log) }
    return withShared(plain, shared, { clock, deliver })
  } catch (failure) {
    await plain.close()
    throw failure
  }
}

interface Published {
  readonly events: () => readonly ChangeEvent[]
  readonly position: number | undefined
}

function withShared(
  plain: PlainStorage,
  shared: Shared,
  { clock, deliver }: Required<Pick<StorageOptions, 'clock' | 'deliver'>>,
): Storage {
  const deliverAll = (all: readonly Published[]): void | Promise<void> =>
    deliver(
      all.flatMap(({ events }) => events()),
      all.findLast(({ position }) => position !== undefined)?.position,
    )
  return {
    ...plain,
    ...shared,
    // Changes once a database that was read-only becomes writable.
    get offload() {
      return { ...plain.offload, ...shared }
    },
    write: (unit, readAhead) =>
      plain.write(
        async (tx) => {
          const endings: (() => Promise<void>)[] = []
          const result = await unit({
            clock,
            publish: (events, position) => tx.onCommit(joinedHook(deliverAll, { events, position })),
            beforeCommit: (work) => void endings.push(work),
            vault: shared.vault,
            unreadable: shared.unreadable,
            ...tx, // last: a copy that gets further members has a hidden class of its own (ADR 151)
          })
          for (const work of endings) await work()
          return result
        },
        readAhead && ((tx) => readAhead({ ...tx, ...shared })),
      ),
  }
}

/** @throws KeyVaultError: no key opens the stored secrets */
async function openVault(
  storage: PlainStorage,
  { keyFile: file, erase }: { readonly keyFile: string; readonly erase: () => Promise<void> },
  log: Log,
  configured: string | undefined,
): Promise<KeyVault> {
  const stored = readKeyFile(file)
  const key = configured ?? stored ?? (await makeKey(storage, file, log))
  // Secrets that were encrypted with the key file before another key was configured are encrypted again.
  const vault = createKeyVault(key, stored === key ? undefined : stored)
  try {
    await sealStoredSecrets(storage, vault)
    if (await mayHavePlainCopies(storage)) {
      await erase()
      await noteErased(storage)
      log.info({}, 'stored secrets encrypted, and their plain copies erased')
    }
  } catch (failure) {
    if (failure instanceof KeyVaultError) throw explainKeyError(configured, file)
    // The disk is full or read-only, or another process is reading: the next start tries again.
    log.warn(
      { err: failure },
      'stored secrets not encrypted, or their plain copies not erased, before the next start',
    )
  }
  return vault
}

/**
 * Plain secrets remain in free pages and in the WAL until both are rewritten.
 * @throws Error: they may still be there
 */
async function eraseDeleted(path: string): Promise<void> {
  const connection = await openSqlite(path)
  try {
    connection.exec('VACUUM')
    const checkpoint = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number } // as documented
    if (checkpoint.busy !== 0) throw new Error(`another process reads ${path}`)
  } finally {
    connection.close()
  }
}

/** Undefined if the file cannot be written: secrets stay unchanged until a later start. */
async function makeKey(storage: PlainStorage, file: string, log: Log): Promise<string | undefined> {
  if (await hasSealedSecrets(storage))
    throw new KeyVaultError(
      `the database has encrypted secrets, and their key ${file} is missing: restore it, or set ZONEREEVE_KEY_ENCRYPTION_SECRET (or _FILE) to the secret that they were encrypted with`,
    )
  try {
    return createKeyFile(file)
  } catch (failure) {
    if (!isTemporary(failure))
      throw new Error(
        `key file ${file} cannot be written: ${failure instanceof Error ? failure.message : String(failure)}`,
        { cause: failure },
      )
    // The disk is full or read-only, and so is the database.
    log.warn({ err: failure, file }, 'no key file: secrets are not encrypted before the next start')
    return undefined
  }
}

const explainKeyError = (configured: string | undefined, file: string): KeyVaultError =>
  new KeyVaultError(
    configured === undefined
      ? `stored secrets were encrypted with another key than that in ${file}: restore the right one, or set ZONEREEVE_KEY_ENCRYPTION_SECRET (or _FILE)`
      : 'stored secrets were encrypted with another secret than ZONEREEVE_KEY_ENCRYPTION_SECRET',
  )
