// $GENERATE: one line that generates many records (BIND's "BIND 9 Administrator Reference Manual", §8).

/** A range of numbers, both ends included. */
export interface GenerateRange {
  readonly start: number
  readonly stop: number
  readonly step: number
}

const MAX_NUMBER = 0x7fff_ffff

/** Reads `start-stop` or `start-stop/step`; undefined for anything else. */
export function parseRange(text: string): GenerateRange | undefined {
  const match = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text)
  if (match === null) return undefined
  const range = { start: Number(match[1]), stop: Number(match[2]), step: Number(match[3] ?? 1) }
  return range.start > range.stop || range.stop > MAX_NUMBER || range.step < 1 ? undefined : range
}

/** How many records the range generates. */
export function rangeCount({ start, stop, step }: GenerateRange): number {
  return Math.floor((stop - start) / step) + 1
}

/**
 * Replaces each `$` or `${offset,width,base}` by a number; `\$` and `$$` are dollars. Undefined if a modifier is
 * malformed or its result is negative.
 */
export function substitute(template: string, number: number): string | undefined {
  let isGood = true
  const text = template.replaceAll(DOLLAR, (whole: string, modifier: string | undefined) => {
    if (whole === '$$' || whole === '\\$') return '\\$'
    if (whole.startsWith('\\')) return whole
    const shown = modifier === undefined ? String(number) : applyModifier(number, modifier)
    isGood &&= shown !== undefined
    return shown ?? '' // the whole result is invalid then
  })
  return isGood ? text : undefined
}

const DOLLAR = /\\[^]|\$\$|\$(?:\{([^}]*)\})?/g
const MODIFIER = /^([+-]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/

function applyModifier(number: number, modifier: string): string | undefined {
  const [, offset, width = '0', base = 'd'] = MODIFIER.exec(modifier) ?? []
  const value = number + Number(offset)
  if (offset === undefined || value < 0 || Number(width) > 255) return undefined
  if (base === 'n' || base === 'N') return nibbles(value, Number(width), base === 'N')
  const digits = value.toString(base === 'd' ? 10 : base === 'o' ? 8 : 16).padStart(Number(width), '0')
  return base === 'X' ? digits.toUpperCase() : digits
}

/** Hexadecimal digits in reverse order, separated by dots, as in ip6.arpa; `width` counts digits and dots. */
function nibbles(value: number, width: number, upper: boolean): string {
  const digits = value.toString(16).padStart(Math.ceil(width / 2), '0')
  const text = [...digits].toReversed().join('.')
  return upper ? text.toUpperCase() : text
}
