// Looks passwords up in hashes that an operator supplies: a sorted file of SHA-1 hashes, or a folder of ranges, both in
// the format of public collections. Lookups read a few blocks; the hashes are never loaded as a whole.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { installLeakedPasswords, type LeakedPasswords } from '@zonereeve/firewall'
import type { EdgeLog } from './edge-log.ts'

/** Uses a collection for all decisions of the process. One that cannot be used is logged, and no password is leaked. */
export function useLeakedPasswords(path: string | undefined, log: EdgeLog): void {
  installLeakedPasswords(undefined)
  if (path === undefined) return
  try {
    installLeakedPasswords(openLeakedPasswords(path))
    log.info({ path }, 'leaked passwords in use')
  } catch (error) {
    log.warn({ path, problem: String(error) }, 'leaked passwords not usable')
  }
}

const HASH_DIGITS = 40
/** The digits that name a range: 2^20 ranges hold some 1,000 hashes each in the largest public collection. */
const PREFIX_DIGITS = 5
/** A block of this size is searched line by line. */
const BLOCK_BYTES = 4_096
/** Longest line: a hash, a colon and a count. */
const MAX_LINE_BYTES = 64
/** Places at which the order is checked before a file is used. */
const CHECKED_PLACES = 64

export interface LeakedPasswordsFile extends LeakedPasswords {
  readonly close: () => void
}

/**
 * Opens a collection.
 *
 * @param path a file with one SHA-1 hash (40 hexadecimal digits, then perhaps a colon and a count) on each line, sorted;
 *   or a folder with a file `ABCDE` or `ABCDE.txt` for each prefix of 5 digits, with the remaining 35 on each line.
 * @throws Error naming what is wrong with the path, the order or a line.
 */
export function openLeakedPasswords(path: string): LeakedPasswordsFile {
  const isFolder = statSync(path).isDirectory()
  const { hasHash, close } = isFolder ? openFolder(path) : openSortedFile(path)
  return {
    // Octets are given as characters, so Latin-1 restores them.
    isLeaked: (text) => hasHash(createHash('sha1').update(text, 'latin1').digest('hex').toUpperCase()),
    close,
  }
}

interface HashSource {
  /** @param hash 40 digits in upper case. @throws the system's error if it cannot be read. */
  readonly hasHash: (hash: string) => boolean
  readonly close: () => void
}

function openFolder(folder: string): HashSource {
  const read = (prefix: string): string | undefined => {
    for (const name of [`${prefix}.txt`, prefix]) {
      try {
        return readFileSync(join(folder, name), 'latin1')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // from the file system
      }
    }
    return undefined
  }
  if (read('00000') === undefined) throw new Error(`${folder} has no file 00000 or 00000.txt`)
  return {
    hasHash: (hash) => {
      const rest = hash.slice(PREFIX_DIGITS)
      const lines = read(hash.slice(0, PREFIX_DIGITS))?.split('\n') ?? [] // a range without hashes has no file
      return lines.some((line) => line.slice(0, rest.length).toUpperCase() === rest)
    },
    close: () => undefined,
  }
}

function openSortedFile(path: string): HashSource {
  const descriptor = openSync(path, 'r')
  try {
    const size = fstatSync(descriptor).size
    checkOrder(descriptor, size, path)
    return {
      hasHash: (hash) => findHash(descriptor, size, hash),
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

const LINE = /^[0-9A-F]{40}(?::\d{1,20})?\r?$/i

function checkOrder(descriptor: number, size: number, path: string): void {
  let before = ''
  for (let place = 0; place < CHECKED_PLACES; place += 1) {
    const line = lineFrom(descriptor, size, Math.floor((size * place) / CHECKED_PLACES))
    if (line === undefined) continue
    if (!LINE.test(line)) throw new Error(`${path}: "${line.slice(0, MAX_LINE_BYTES)}" is not a SHA-1 hash`)
    const hash = hashOf(line)
    if (hash < before) throw new Error(`${path} is not sorted: ${hash} comes after ${before}`)
    before = hash
  }
  if (before === '') throw new Error(`${path} has no hashes`)
}

/** Halves the file until one block is left. */
function findHash(descriptor: number, size: number, hash: string): boolean {
  let from = 0
  let to = size
  while (to - from > BLOCK_BYTES) {
    const middle = Math.floor((from + to) / 2)
    const line = lineFrom(descriptor, size, middle)
    if (line === undefined || hashOf(line) > hash) to = middle
    else from = middle
  }
  // The line that begins before `to` ends after it.
  const block = readText(descriptor, Math.max(0, from - MAX_LINE_BYTES), to - from + 3 * MAX_LINE_BYTES)
  return block.split('\n').some((line) => hashOf(line) === hash)
}

const hashOf = (line: string): string => line.slice(0, HASH_DIGITS).toUpperCase()

/** The first whole line at or after a place; undefined at the end of the file. */
function lineFrom(descriptor: number, size: number, place: number): string | undefined {
  const start = Math.max(0, place - 1)
  const text = readText(descriptor, start, Math.min(2 * MAX_LINE_BYTES + 1, size - start))
  const begin = place === 0 ? 0 : text.indexOf('\n') + 1
  if (place > 0 && begin === 0) return undefined
  const line = text.slice(begin).split('\n', 1)[0]
  return line === '' ? undefined : line
}

function readText(descriptor: number, start: number, length: number): string {
  const octets = Buffer.alloc(Math.max(0, length))
  const count = readSync(descriptor, octets, 0, octets.length, start)
  return octets.toString('latin1', 0, count)
}
