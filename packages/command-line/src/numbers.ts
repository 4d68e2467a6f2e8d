// Parses numbers and durations of the command line. Anything else is rejected before a request is made: JSON
// has no notation for NaN, and the server would use its default. Commander reports the error with the name of
// the option.
import { InvalidArgumentError } from 'commander'
import { MAX_TTL_SECONDS, parseTtl } from '@zonereeve/dns'

const AUTOMATIC_TTL = 1

/**
 * Parses `300`, `5m`, `1h30m` or `auto` into seconds.
 * @throws InvalidArgumentError.
 */
export function readTtl(text: string): number {
  if (text === 'auto') return AUTOMATIC_TTL
  const seconds = parseTtl(text)
  if (seconds !== undefined && seconds <= MAX_TTL_SECONDS) return seconds
  throw new InvalidArgumentError('It must be seconds (300), a duration (5m, 1h, 1h30m) or auto.')
}

/**
 * Parses decimal digits only: no sign, fraction, exponent or unit.
 * @throws InvalidArgumentError.
 */
export const integerOf =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d{1,16}$/.test(text) && number >= minimum && number <= maximum) return number
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
  }

/** The same for an argument with several values. */
export const integersOf =
  (minimum: number, maximum: number) =>
  (text: string, previous: readonly number[] = []): readonly number[] => [
    ...previous,
    integerOf(minimum, maximum)(text),
  ]
