// A wait ends at a change, at its limit, or when its client leaves; and leaves nothing behind.
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createChangeSignal } from './change-signal.ts'

const NEVER = 600_000

test('all waits end at a change, and later ones wait for the next', async () => {
  const changes = createChangeSignal()
  const { signal } = new AbortController()
  const waits = [changes.changeWithin(NEVER, signal), changes.changeWithin(NEVER, signal)]
  changes.announce()
  expect(await Promise.all(waits)).toEqual([true, true])
  const later = changes.changeWithin(1, signal)
  expect(await later).toBe(false)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a wait ends when its signal is aborted, before or meanwhile, and not the others', async () => {
  const changes = createChangeSignal()
  const leaving = new AbortController()
  const left = changes.changeWithin(NEVER, leaving.signal)
  const other = changes.changeWithin(1, new AbortController().signal)
  leaving.abort()
  expect([await left, await other]).toEqual([true, false])
  expect(await changes.changeWithin(NEVER, leaving.signal)).toBe(true)
})
