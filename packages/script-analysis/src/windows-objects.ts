// Objects of Windows that old browsers and its script host give to scripts.
import type { Effect } from './browser-requests.ts'
import { MAX_ITEMS } from './limits.ts'
import { hostObject, textStart, UNKNOWN, type Value } from './values.ts'

/** An object, by its name. */
export function activeObject([name]: readonly Value[]): Value {
  const text = textStart(name)
  if (/^scripting\.dictionary$/iu.test(text)) return hostObject('dictionary')
  return hostObject(/xmlhttp/iu.test(text) ? 'xhr' : 'activex', text)
}

const itemKey = (key: string): string => ` item ${key}`

/** Droppers take what they need from a dictionary, so that only the script host of Windows can decode them. */
export const addToDictionary: Effect = (_, { self, args }) => {
  if (self.path !== 'dictionary' || self.entries === null) return undefined
  const [key, value] = args
  if (typeof key === 'string' && self.entries.size < MAX_ITEMS) self.entries.set(itemKey(key), value)
  return UNKNOWN
}

export const takeFromDictionary: Effect = (_, { self, args: [key] }) =>
  self.path === 'dictionary' && typeof key === 'string' ? self.entries?.get(itemKey(key)) : undefined
