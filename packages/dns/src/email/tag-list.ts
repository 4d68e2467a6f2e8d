// Lists of `tag=value` between semicolons, as DKIM keys and DMARC policies are written (RFC 6376 §3.2, RFC 7489 §6.4).

/** A tag, its value without the blanks around it, and where it stands. */
export interface Tag {
  readonly name: string
  readonly value: string
  /** Code units from the start of the text. */
  readonly offset: number
}

/** The tags in order, and the offsets of what is none. A semicolon at the end is allowed. */
export function readTagList(text: string): {
  readonly tags: readonly Tag[]
  readonly malformed: readonly number[]
} {
  const tags: Tag[] = []
  const malformed: number[] = []
  let offset = 0
  const parts = text.split(';')
  for (const [index, part] of parts.entries()) {
    const match = /^\s*([A-Za-z][A-Za-z0-9_]*)\s*=\s*([^]*?)\s*$/.exec(part)
    if (match?.[1] !== undefined)
      tags.push({ name: match[1], value: match[2] ?? '', offset: offset + part.search(/\S/) })
    else if (part.trim() !== '' || index < parts.length - 1) malformed.push(offset)
    offset += part.length + 1
  }
  return { tags, malformed }
}

/** The names that stand more than once. */
export function duplicateTags(tags: readonly Tag[]): string[] {
  const names = tags.map(({ name }) => name)
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
}
