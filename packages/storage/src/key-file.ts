// The key that encrypts secrets in the database if none is configured: created at the first start, next to the
// database, readable only by its owner.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const KEY_OCTETS = 32

export const keyFileOf = (databasePath: string): string => `${databasePath}.key`

/**
 * Undefined if there is no file.
 * @throws Error: not readable, or empty
 */
export function readKeyFile(path: string): string | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  if (text === '') throw new Error(`${path} is empty: restore it from a backup`)
  return text
}

/**
 * Synced to disk before anything is encrypted with it.
 * @throws Error: exists, or cannot be written
 */
export function createKeyFile(path: string): string {
  const key = randomBytes(KEY_OCTETS).toString('base64url')
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, `${key}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
  return key
}
