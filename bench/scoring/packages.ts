// The npm packages whose browser files are the benign samples, by kind, and the generators of variants. The packages are
// never installed or run; only their files are read.
import { readFileSync } from 'node:fs'

/** A package with one of its versions. */
export interface PinnedPackage {
  readonly kind: string
  readonly name: string
  readonly version: string
  /** Not the newest of the pinned versions. */
  readonly isOlder: boolean
}

/** Reads packages.txt: after each `kind:`, names with their versions, newest first: `name@2.0.1,1.9.0`. */
export function readPackages(): readonly PinnedPackage[] {
  const words = readFileSync(new URL('packages.txt', import.meta.url), 'utf8').split(/\s+/u)
  let kind = ''
  return words.flatMap((word) => {
    if (word.endsWith(':')) {
      kind = word.slice(0, -1)
      return []
    }
    const at = word.lastIndexOf('@')
    if (at < 1) return []
    const versions = word.slice(at + 1).split(',')
    return versions.map((version, i) => ({ kind, name: word.slice(0, at), version, isOlder: i > 0 }))
  })
}

/** Near copies of each other, by the beginning of their names. */
const NEAR_COPIES: readonly (readonly [prefix: string, group: string])[] = [
  ['startbootstrap-', 'startbootstrap'],
  ['sb-admin', 'startbootstrap'],
  ['gentelella', 'gentelella'],
  ['admin-lte', 'admin-lte'],
]

/** What stands on one side of a split: a package with all its versions, the packages of a scope, or near copies. */
export function groupOf(name: string): string {
  const [scope] = /^@[^/]+/u.exec(name) ?? []
  const copies = NEAR_COPIES.find(([prefix]) => name.startsWith(prefix))
  return `npm:${copies?.[1] ?? scope ?? name}`
}

/** Obfuscators and minifiers, installed without running their install scripts. */
export const GENERATORS: readonly string[] = [
  'javascript-obfuscator@5.8.0',
  'jsfuck@0.4.0',
  'terser@5.51.2',
  'uglify-js@3.19.3',
]
