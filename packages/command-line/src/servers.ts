// Servers that `zonereeve login` has stored: one file, readable only by its owner.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClientConfigError, serversPath, type StoredServer } from './client-config.ts'

export interface Servers {
  /** Name of the server that commands use if none is named. */
  readonly current: string | undefined
  readonly servers: Readonly<Record<string, StoredServer>>
}

const NONE: Servers = { current: undefined, servers: {} }
const OTHERS = 0o077

/** @throws ClientConfigError: other users may read the file, or it is not what `writeServers` writes. */
export function readServers(path: string = serversPath()): Servers {
  let text: string
  try {
    // Tokens that others could read may no longer be secret.
    if ((statSync(path).mode & OTHERS) !== 0)
      throw new ClientConfigError(`${path}: other users may read it: chmod 600 ${path}`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NONE
    if (error instanceof ClientConfigError) throw error
    throw new ClientConfigError(path, { cause: error })
  }
  const servers = parse(text)
  if (servers === undefined)
    throw new ClientConfigError(`${path}: not a file of zonereeve login; remove it, and log in again`)
  return servers
}

/** The server of a name, or the current one. @throws ClientConfigError: there is none of this name. */
export function findServer(name: string | undefined): StoredServer | undefined {
  const { current, servers } = readServers()
  if (name !== undefined) requireStored(servers, name)
  const chosen = name ?? current
  return chosen === undefined ? undefined : servers[chosen]
}

/** @throws ClientConfigError: there is none of this name. */
export function requireStored(servers: Servers['servers'], name: string): void {
  if (Object.hasOwn(servers, name)) return
  const names = Object.keys(servers)
  const known = names.length === 0 ? 'none is stored' : `stored are ${names.join(', ')}`
  throw new ClientConfigError(`unknown server ${name}: ${known}`)
}

/** Replaces the file as a whole. @throws the system's error. */
export function writeServers(servers: Servers, path: string = serversPath()): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${process.pid}`
  try {
    writeFileSync(partial, `${JSON.stringify(servers, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(partial, 0o600)
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}

function parse(text: string): Servers | undefined {
  try {
    const read: unknown = JSON.parse(text)
    if (!isObject(read) || !isObject(read['servers'])) return undefined
    const { current, servers } = read
    if (current !== undefined && typeof current !== 'string') return undefined
    if (!Object.values(servers).every(isServer)) return undefined
    return { current, servers: servers as Servers['servers'] } // checked
  } catch {
    return undefined
  }
}

const isServer = (value: unknown): boolean =>
  isObject(value) && typeof value['url'] === 'string' && typeof value['token'] === 'string'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
