// The cache of credentials: what is remembered, for how long, and when credentials were used.
import { expect, test } from 'vitest'
import { createCredentialCache, hashSecret } from './index.ts'

function makeCache() {
  let at = 0
  const read: string[] = []
  const stored = new Map([[hashSecret('one'), 'first']])
  const clock = { now: () => at, timestamp: () => String(at) }
  const cache = createCredentialCache(clock, async (valueHash) => {
    read.push(valueHash)
    return stored.get(valueHash)
  })
  return { cache, read, stored, advance: (millis: number) => (at += millis) }
}

test('a secret is hashed as SHA-256 in hexadecimal', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('what was found is remembered for two seconds', async () => {
  const { cache, read, stored, advance } = makeCache()
  expect(await cache.lookUp('one')).toBe('first')
  stored.clear()
  advance(1_999)
  expect([await cache.lookUp('one'), read.length]).toEqual(['first', 1])
  advance(1)
  expect([await cache.lookUp('one'), read.length]).toEqual([undefined, 2])
})

test('what was not found, and what was forgotten, is read again', async () => {
  const { cache, read, stored } = makeCache()
  expect(await cache.lookUp('two')).toBe(undefined)
  stored.set(hashSecret('two'), 'second')
  expect(await cache.lookUp('two')).toBe('second')
  stored.delete(hashSecret('two'))
  cache.forget()
  expect([await cache.lookUp('two'), read.length]).toEqual([undefined, 3])
})

test('uses are handed over once, with the latest time of each credential', () => {
  const { cache, advance } = makeCache()
  for (const id of ['a', 'b', 'a']) {
    advance(1)
    cache.noteUse(id)
  }
  expect([cache.usedAt('a'), cache.usedAt('c')]).toEqual(['3', undefined])
  expect(cache.takeUses()).toEqual([
    ['a', '3'],
    ['b', '2'],
  ])
  expect([cache.takeUses(), cache.usedAt('a')]).toEqual([[], undefined])
})
