import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_PINNED, pinnedZones, togglePin } from './pinned-zones.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null, // as a browser does
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('nothing is pinned at first', () => expect(pinnedZones()).toEqual([]))

test('a zone is pinned and unpinned, and the others stay', () => {
  for (const name of ['b.example', 'a.example', 'c.example']) togglePin(name)
  expect(pinnedZones()).toEqual(['b.example', 'a.example', 'c.example'])
  togglePin('a.example')
  expect(pinnedZones()).toEqual(['b.example', 'c.example'])
})

test('the oldest pin gives way to one too many', () => {
  const names = Array.from({ length: MAX_PINNED + 1 }, (_, index) => `${index}.example`)
  for (const name of names) togglePin(name)
  expect(pinnedZones()).toEqual(names.slice(1))
})
