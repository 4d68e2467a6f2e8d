// What a value must be, in words: schemas say it to programs, as patterns and limits.

/** Keyword beside `pattern`: what the pattern requires, for messages. The API document leaves it out. */
export const MUST = 'must'

const count = (limit: number, one: string): string => `${limit} ${limit === 1 ? one : `${one}s`}`

const LIMITS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minLength: (limit) =>
    limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${count(limit, 'character')}`,
  minItems: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'item')}`),
  maxItems: (limit) => `must have at most ${count(limit, 'item')}`,
}

interface Violation {
  readonly keyword: string
  readonly params: object
  /** The schema that has the keyword. */
  readonly parentSchema?: object | undefined
}

/** @returns undefined for other keywords than patterns and limits */
export function requirementOf({ keyword, params, parentSchema }: Violation): string | undefined {
  if (keyword === 'pattern') {
    const words: unknown = Object.getOwnPropertyDescriptor(parentSchema ?? {}, MUST)?.value // without its schema
    return typeof words === 'string' ? `must ${words}` : undefined
  }
  const { limit } = params as { readonly limit?: number } // of the keywords in the table
  return limit === undefined ? undefined : LIMITS[keyword]?.(limit)
}
