// What a script puts into maps, parameters and form data of the browser, and takes out of them by its key.
import type { BrowserCall } from './browser-requests.ts'
import { MAX_ITEMS } from './limits.ts'
import { ANY_NAME, taintOf, taintOfText, unknownValue, type UnknownValue, type Value } from './values.ts'

const TAKES_OUT = new Set('get getAll values entries toString join splice slice pop shift concat'.split(' '))
const PUTS_IN = /^(?:set|append|push|add)$/u
/** These give a key only what was put in under it. */
const BY_KEY = /^(?:new (?:Map|URLSearchParams|Headers))$/u

/** Key of what was put in under a known key. */
const entryKey = (key: string): string => ` key ${key.slice(0, 100)}`

/** The taint that an object has for a call of it. */
export function taintOfObject({ self, name, args }: BrowserCall): number {
  if (!TAKES_OUT.has(name)) return self.taint
  if (name === 'toString') return taintOfText(self)
  const [key] = args
  if (typeof key !== 'string' || self.entries === null) return taintOf(self)
  const found = self.entries.get(entryKey(key))
  if (found === undefined && !BY_KEY.test(self.path)) return taintOf(self)
  // What was put in under an unknown key may be it.
  return self.taint | taintOf(found) | taintOf(self.entries.get(ANY_NAME))
}

/** Values added to a map, a list or form data stay in it. `taint`: of all that is given. */
export function putIn({ self, name, args }: BrowserCall, taint: number): void {
  if (self.entries === null) return
  if (self.path.endsWith('.classList')) {
    changeClasses(self.entries, name, args)
    return
  }
  if (!PUTS_IN.test(name)) return
  const [key] = args
  const isKnown = typeof key === 'string' && args.length > 1 && self.entries.size < MAX_ITEMS
  if (taint !== 0 || isKnown) addTaint(self, isKnown ? entryKey(key) : ANY_NAME, taint)
}

function changeClasses(classes: Map<string, Value>, name: string, args: readonly Value[]): void {
  const [first, second] = args
  const isToggle = name === 'toggle'
  const added =
    name === 'add' ? args : name === 'replace' ? [second] : isToggle && second === true ? [first] : []
  const removed = name === 'remove' ? args : name === 'replace' || isToggle ? [first] : []
  for (const key of removed) if (typeof key === 'string') classes.delete(key)
  for (const key of added) if (typeof key === 'string' && classes.size < MAX_ITEMS) classes.set(key, true)
}

/** What was there before may come out, too: by another branch, or at another time. */
function addTaint({ entries }: UnknownValue, key: string, taint: number): void {
  entries?.set(key, unknownValue({ taint: taint | taintOf(entries.get(key)) }))
}
