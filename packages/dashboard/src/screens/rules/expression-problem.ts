// What is wrong with an expression while it is typed, where, and which names could be meant.
import {
  checkExpression,
  DEFAULT_LIMITS,
  ExprError,
  FIELDS,
  FUNCTIONS,
  locateError,
  parseValue,
  requestScheme,
  utf8Length,
  type Scheme,
} from '@zonereeve/expr'

// The server knows what its operator has configured; it refuses the rest when the rule is saved.
const CONFIGURED = [
  'geoip',
  'jwt',
  'client-certificates',
  'hostname-metadata',
  'leaked-passwords',
  'verified-bots',
] as const
const SCHEME: Scheme = requestScheme({ configured: CONFIGURED })

/** Of expressions about responses, such as those of policies. */
export const RESPONSE_SCHEME: Scheme = requestScheme({
  configured: CONFIGURED,
  hasResponse: true,
  hasBody: false,
})

/** Of expressions that say what a rate limit counts. */
const COUNTING_SCHEME: Scheme = requestScheme({ configured: CONFIGURED, hasResponse: true })

export const MAX_EXPRESSION_BYTES = DEFAULT_LIMITS.maxExpressionBytes

export interface ExpressionProblem {
  readonly message: string
  /** A name that could be meant. */
  readonly similar: string | undefined
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The whole line. */
  readonly text: string
  /** In UTF-16 units of the expression; the end is not included. */
  readonly span: { readonly start: number; readonly end: number }
}

/** undefined if the expression is right. */
export function problemOf(
  expression: string,
  scheme: Scheme = SCHEME,
  names: readonly OfferedName[] = OFFERED_NAMES,
): ExpressionProblem | undefined {
  const checked = checkExpression(expression, scheme)
  return checked.ok ? undefined : problemIn(checked.error, names)
}

/** Of an expression that says what counts: it may use the response. */
export const countingProblemOf = (expression: string) =>
  problemOf(expression, COUNTING_SCHEME, COUNTING_NAMES)

/** Of an expression that gives a value of any type. */
export function valueProblemOf(expression: string): ExpressionProblem | undefined {
  try {
    parseValue(expression, SCHEME)
    return undefined
  } catch (error) {
    if (error instanceof ExprError) return problemIn(error, OFFERED_NAMES)
    throw error
  }
}

/** Of an expression that gives a string, such as the URL of a redirect. */
export function stringProblemOf(expression: string): ExpressionProblem | undefined {
  const problem = valueProblemOf(expression)
  if (problem !== undefined || parseValue(expression, SCHEME).type.kind === 'bytes') return problem
  const [text = ''] = expression.split('\n')
  return {
    message: 'it must give a string',
    similar: undefined,
    line: 1,
    column: 1,
    text,
    span: { start: 0, end: text.length },
  }
}

function problemIn(error: ExprError, names: readonly OfferedName[]): ExpressionProblem {
  const { source, span } = error
  const { line, text } = locateError(error)
  const lineStart = span.start === 0 ? 0 : source.lastIndexOf('\n', span.start - 1) + 1
  return {
    message: error.message,
    similar:
      error.kind === 'unknown-identifier'
        ? similarName(source.slice(span.start, span.end), names)
        : undefined,
    line,
    column: span.start - lineStart + 1,
    text,
    span,
  }
}

export const bytesOf = (expression: string): number => utf8Length(expression)

export interface OfferedName {
  readonly label: string
  readonly type: 'variable' | 'function'
  readonly info?: string
}

const offeredNames = (scopes: readonly string[]): readonly OfferedName[] => [
  ...FIELDS.filter(({ origin, scope }) => origin !== 'unavailable' && scopes.includes(scope)).map(
    ({ name }): OfferedName => ({ label: name, type: 'variable' }),
  ),
  ...FUNCTIONS.map(({ name, summary }): OfferedName => ({ label: name, type: 'function', info: summary })),
]

/** Fields of requests and functions, by name. */
export const OFFERED_NAMES = offeredNames(['request'])

/** The same with fields of responses. */
export const COUNTING_NAMES = offeredNames(['request', 'response'])

/** One slip in four letters. */
const LETTERS_PER_SLIP = 4

/** The offered name with the fewest differing letters, unless most differ. */
function similarName(word: string, names: readonly OfferedName[]): string | undefined {
  let best: string | undefined
  let fewest = Math.floor(word.length / LETTERS_PER_SLIP) + 1
  for (const { label } of names) {
    const count = slipsBetween(word, label)
    if (count >= fewest) continue
    fewest = count
    best = label
  }
  return best
}

/** Letters to insert, delete or replace (Levenshtein distance). */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [place, letter] of [...from].entries()) {
    const next = [place + 1]
    for (const [index, other] of [...to].entries())
      next.push(
        Math.min(
          Number(next[index]) + 1,
          Number(row[index + 1]) + 1,
          Number(row[index]) + (letter === other ? 0 : 1),
        ),
      )
    row = next
  }
  return Number(row.at(-1))
}
