// Calls that return an object itself.
import type { Effect } from './browser-requests.ts'

/** Where a weak reference keeps its object. */
export const REFERENT = ' referent'

export const deref: Effect = (_, { self }) => self.entries?.get(REFERENT)

/** `window.valueOf()` */
export const valueOfObject: Effect = (_, { self, args }) => (args.length === 0 ? self : undefined)
