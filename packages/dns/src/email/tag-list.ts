// Lists of `tag=value` separated by semicolons, as in DKIM keys and DMARC policies (RFC 6376 §3.2, RFC 7489 §6.4).

/** A tag, its value without surrounding whitespace, and its position. */
export interface Tag {
  readonly name: string
  readonly value: string
  /** Code units from the start of the text. */
  readonly offset: number
}

/** The tags in order, and the offsets of invalid parts. A semicolon at the end is allowed. */
export function readTagList(text: string): {
  readonly tags: readonly Tag[]
  readonly malformed: readonly number[]
} {
  const tags: Tag[] = []
  const malformed: number[] = []
  let offset = 0
  const parts = text.split(';')
  for (const [index, part] of parts.entries()) {
    const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9_]*)\s*=\s*([^]*?)\s*$/.exec(part) ?? []
    if (name !== undefined && value !== undefined)
      tags.push({ name, value, offset: offset + part.search(/\S/) })
    else if (part.trim() !== '' || index < parts.length - 1) malformed.push(offset)
    offset += part.length + 1
  }
  return { tags, malformed }
}

/** The names that occur more than once. */
export function duplicateTags(tags: readonly Tag[]): string[] {
  const names = tags.map(({ name }) => name)
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
}
