// A filter as it is typed, `type:MX -tag:web mail`: terms of a list's own fields, and words.

/** One `field:value`, or `-field:value`. */
export interface Term<Field extends string = string> {
  readonly field: Field
  readonly isNot: boolean
  readonly value: string
}

export interface ParsedTerms<Field extends string = string> {
  readonly terms: readonly Term<Field>[]
  /** What is not a term: words to search for. */
  readonly words: string
}

/** The fields of a list, and which of them can be excluded: the server has no filter for the others. */
export interface Grammar<Field extends string = string> {
  readonly fields: readonly Field[]
  readonly negatable: readonly Field[]
}

const TERM = /^(-?)([a-z]+):(.+)$/

export function parseTerms<Field extends string>(text: string, grammar: Grammar<Field>): ParsedTerms<Field> {
  const terms: Term<Field>[] = []
  const words: string[] = []
  for (const word of text.split(/\s+/)) {
    const term = readTerm(word, grammar)
    if (term === undefined) words.push(word)
    else terms.push(term)
  }
  return { terms, words: words.join(' ').trim() }
}

function readTerm<Field extends string>(
  word: string,
  { fields, negatable }: Grammar<Field>,
): Term<Field> | undefined {
  const [, minus, name, value] = TERM.exec(word) ?? []
  const field = fields.find((known) => known === name)
  if (value === undefined || field === undefined) return undefined
  const isNot = minus === '-'
  return isNot && !negatable.includes(field) ? undefined : { field, isNot, value }
}

export function writeTerms({ terms, words }: ParsedTerms): string {
  return [...terms.map(termText), words].filter((part) => part !== '').join(' ')
}

export const termText = ({ field, isNot, value }: Term): string => `${isNot ? '-' : ''}${field}:${value}`
