// The first digits of a card tell who issued it, and shops look that up. Of all that a script may do with a card's number,
// this alone is no reason to call the result card data: once, and only the beginning of the number as it was typed.
import type { BrowserCall } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { CARD_ISSUER, OTHER_CARD_FIELDS, seePath } from './observations.ts'
import { isUnknown, TAINT, type UnknownValue, type Value } from './values.ts'

/** What is known of the card fields that a script reads. */
export interface CardReads {
  /** Values that are what was typed, with the words about their field. */
  readonly typed: WeakMap<UnknownValue, string>
  /** The words about the first card field. */
  field: string | null
  /** Where the first digits were taken, and of which field. */
  taken: { readonly at: number | null; readonly field: string } | null
}

export const createCardReads = (): CardReads => ({ typed: new WeakMap(), field: null, taken: null })

const DIGITS_OF_ISSUER = 8
/** Payment fields that are short enough to be whole within their first digits. */
const SHORT_FIELDS =
  /cvv|cvc|cvn|\bcid\b|_cid|code|holder|owner|exp(?:ir|[-_.]?(?:month|year|date))|month|year/iu
/** Patterns that remove no digit. */
const NO_DIGITS = /^(?:\\D|\\s|\[\^0-9\]|\[\^\\d\]|\[[\s-]+\]|\[\\s-\]| |-)[+*]?\/g?u?$/u

/** Notes the value of a field: of card numbers, the beginning may be taken. */
export function noteCardRead({ cards, observed }: Machine, value: UnknownValue, field: string): void {
  if ((value.taint & TAINT.card) === 0) return
  cards.field ??= field
  if (cards.field !== field) seePath(observed, OTHER_CARD_FIELDS)
  if (!SHORT_FIELDS.test(field)) cards.typed.set(value, field)
}

/** Notes that a value is still what was typed, without the spaces between its digits. */
export function keepTyped({ cards }: Machine, { self, name, args }: BrowserCall, result: UnknownValue): void {
  const field = cards.typed.get(self)
  if (field === undefined) return
  const isTrimmed =
    name === 'trim' || (/^replace(?:All)?$/u.test(name) && args[1] === '' && isOfNoDigit(args[0]))
  if (isTrimmed) cards.typed.set(result, field)
}

const isOfNoDigit = (pattern: Value): boolean =>
  isUnknown(pattern)
    ? pattern.path === 'regex' && NO_DIGITS.test(pattern.hint)
    : pattern === ' ' || pattern === '-'

const isStart = (name: string, [from, to]: readonly Value[]): boolean =>
  /^(?:slice|substr|substring)$/u.test(name) &&
  from === 0 &&
  typeof to === 'number' &&
  to > 0 &&
  to <= DIGITS_OF_ISSUER

/** Whether a call takes the first digits of a card, in the only place of the script that does so. */
export function takesIssuer({ cards, observed }: Machine, { self, name, args }: BrowserCall): boolean {
  const field = cards.typed.get(self)
  if (field === undefined || !isStart(name, args)) return false
  const { at } = observed
  cards.taken ??= { at, field }
  // A handler runs again: the same place.
  if (cards.taken.at !== at || cards.taken.field !== field) return false
  seePath(observed, CARD_ISSUER)
  return true
}
