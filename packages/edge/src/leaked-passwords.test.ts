// Collections of leaked passwords, as files and as folders: what they contain is found, everything else is not.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leakedPasswords } from '@zonereeve/firewall'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openLeakedPasswords, useLeakedPasswords } from './leaked-passwords.ts'

const folder = mkdtempSync(join(tmpdir(), 'leaked-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hashOf = (text: string): string => createHash('sha1').update(text, 'latin1').digest('hex').toUpperCase()
const leaked = Array.from({ length: 5_000 }, (_, i) => `password ${i}`)
const hashes = leaked.map(hashOf).toSorted()

function fileWith(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function folderWith(name: string, suffix: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  const ranges = new Map([['00000', '']])
  for (const hash of hashes) {
    const prefix = hash.slice(0, 5)
    ranges.set(prefix, `${ranges.get(prefix) ?? ''}${hash.slice(5)}:3\r\n`)
  }
  for (const [prefix, lines] of ranges) writeFileSync(join(path, prefix + suffix), lines)
  return path
}

test.each([
  ['a file of hashes', fileWith('plain', `${hashes.join('\n')}\n`)],
  ['without a last line break', fileWith('open', hashes.join('\n'))],
  ['with counts', fileWith('counts', hashes.map((hash, i) => `${hash}:${i * 97}\r\n`).join(''))],
  ['in lower case', fileWith('lower', hashes.map((hash) => `${hash.toLowerCase()}:1\n`).join(''))],
  ['a folder of ranges', folderWith('ranges', '')],
  ['a folder of ranges with a suffix', folderWith('ranges.txt', '.txt')],
])('%s: every password is found, and no other', (_, path) => {
  const { isLeaked, close } = openLeakedPasswords(path)
  expect(leaked.filter((text) => !isLeaked(text))).toEqual([])
  const others = Array.from({ length: 2_000 }, (_ignored, i) => `another ${i}`)
  expect(others.filter((text) => isLeaked(text))).toEqual([])
  close()
})

test.each([1, 2, 3, 101, 102, 103])('a file with %s hashes', (count) => {
  const some = hashes.slice(0, count)
  const { isLeaked, close } = openLeakedPasswords(fileWith('few', `${some.join('\n')}\n`))
  const byHash = new Map(leaked.map((text) => [hashOf(text), text]))
  expect(hashes.filter((hash) => isLeaked(String(byHash.get(hash))))).toEqual(some)
  close()
})

test('bytes are hashed as they were received', () => {
  const octets = 'p\u00c3\u00a4ss'
  const path = fileWith('octets', `${createHash('sha1').update('päss', 'utf8').digest('hex')}\n`)
  const { isLeaked, close } = openLeakedPasswords(path)
  expect([isLeaked(octets), isLeaked('päss')]).toEqual([true, false])
  close()
})

describe('what cannot be used', () => {
  test.each([
    ['an empty file', fileWith('empty', ''), /has no hashes/],
    ['a file of passwords', fileWith('words', 'password\nsecret\n'), /"password" is not a SHA-1 hash/],
    ['other hashes', fileWith('long', `${'A'.repeat(64)}\n`), /is not a SHA-1 hash/],
    ['an unsorted file', fileWith('unsorted', `${hashes.toReversed().join('\n')}\n`), /is not sorted/],
    ['a folder without ranges', folder, /has no file 00000/],
    ['no file', join(folder, 'none'), /ENOENT/],
  ])('%s', (_, path, problem) => {
    expect(() => openLeakedPasswords(path)).toThrow(problem)
  })

  test('is logged, and no password counts as leaked', () => {
    const warnings: object[] = []
    const log = { info: () => undefined, warn: (fields: object) => void warnings.push(fields) }
    useLeakedPasswords(join(folder, 'plain'), log)
    expect(leakedPasswords()?.isLeaked('password 1')).toBe(true)
    useLeakedPasswords(join(folder, 'none'), log)
    expect([leakedPasswords(), warnings.length]).toEqual([undefined, 1])
  })
})

test('any sorted collection', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'binary-ascii' }), { minLength: 1, maxLength: 300 }),
      fc.nat(),
      (strings, seed) => {
        const path = fileWith(
          'any',
          `${strings
            .map(hashOf)
            .toSorted()
            .join(seed % 2 === 0 ? '\n' : '\r\n')}\n`,
        )
        const { isLeaked, close } = openLeakedPasswords(path)
        expect(strings.filter((text) => !isLeaked(text))).toEqual([])
        expect(isLeaked(`${strings.join()} `)).toBe(false)
        close()
      },
    ),
    { numRuns: 50 },
  )
})
