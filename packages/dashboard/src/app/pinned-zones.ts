// The zones that the reader pinned, kept in this browser: first in the list of zones, and in the palette.
import { useSyncExternalStore } from 'react'

const KEY = 'zonereeve.pinned'
/** Each is asked for by its name. */
export const MAX_PINNED = 8

const listeners = new Set<() => void>()

/** Oldest pin first. */
export function pinnedZones(): readonly string[] {
  return read(localStorage.getItem(KEY))
}

/** The oldest pins give way to a new one. */
export function togglePin(name: string): void {
  const names = pinnedZones()
  const others = names.filter((other) => other !== name)
  const next = others.length < names.length ? others : [...others.slice(-(MAX_PINNED - 1)), name]
  localStorage.setItem(KEY, next.join(' '))
  for (const listener of listeners) listener()
}

/** Changes in other windows, too. */
export function usePinnedZones(): readonly string[] {
  return read(useSyncExternalStore(subscribe, () => localStorage.getItem(KEY)))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

const read = (stored: string | null): readonly string[] =>
  stored === null ? [] : stored.split(' ').filter((name) => name !== '')
