// What rules do to the headers of a response, as a proxy gets it before the response is there.
import { asciiLower, type HeaderLine } from '@zonereeve/expr'
import { editHeaders, type HeaderEdit } from '@zonereeve/firewall'

/** What becomes of one header. Several values are one, separated by commas. */
export interface HeaderChange {
  readonly name: string
  /** Whether the lines of the origin go away. */
  readonly isReplaced: boolean
  /** In their place; undefined if nothing comes there. */
  readonly value: string | undefined
  /** Added after that. */
  readonly added: string | undefined
}

/** @returns the last word about each header, in order of their first edit. */
export function changesOf(edits: readonly HeaderEdit[]): readonly HeaderChange[] {
  const changes = new Map<string, HeaderChange>()
  for (const edit of edits) {
    const { name } = edit
    if (edit.operation !== 'add') {
      const value = edit.operation === 'set' ? edit.value : undefined
      changes.set(name, { name, isReplaced: true, value, added: undefined })
      continue
    }
    const known = changes.get(name) ?? { name, isReplaced: false, value: undefined, added: undefined }
    changes.set(name, {
      ...known,
      added: known.added === undefined ? edit.value : `${known.added}, ${edit.value}`,
    })
  }
  return [...changes.values()]
}

/** The headers that edits name: with their values after all of them, or undefined if nothing is left. */
export function editedHeaders(
  lines: readonly HeaderLine[],
  edits: readonly HeaderEdit[],
): readonly (readonly [name: string, value: string | undefined])[] {
  const values = edits.length === 0 ? undefined : valuesByName(editHeaders(lines, edits))
  return [...new Set(edits.map(({ name }) => name))].map((name) => [name, values?.get(name)])
}

/** The headers that differ: with their values, or undefined if nothing is left of them. */
export function differencesOf(
  before: readonly HeaderLine[],
  after: readonly HeaderLine[],
): readonly (readonly [name: string, value: string | undefined])[] {
  const [old, changed] = [valuesByName(before), valuesByName(after)]
  return [...new Set([...old.keys(), ...changed.keys()])]
    .filter((name) => old.get(name) !== changed.get(name))
    .map((name) => [name, changed.get(name)])
}

function valuesByName(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [given, value] of lines) {
    const name = asciiLower(given)
    const known = values.get(name)
    values.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return values
}
