// The definition of a setting, and parsers for common value types.
import { isIP } from 'node:net'
import { parseTtl } from '@zonereeve/dns'

export interface Setting<T> {
  readonly name: string
  /** The flag's value placeholder; undefined for settings without a flag (secrets). */
  readonly placeholder?: string
  readonly description: string
  readonly default: string | undefined
  readonly secret?: true
  /** @throws Error saying what would be valid. */
  parse(text: string): T
}

export interface Endpoint {
  readonly host: string
  readonly port: number
  /** Descriptors of sockets that are already open there. */
  readonly passed?: { readonly stream: number; readonly datagram: number | undefined } | undefined
}

export const setting = <T>(declared: Setting<T>): Setting<T> => declared

export function oneOf<const V extends string>(text: string, values: readonly V[]): V {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
  return found
}

export function matching(text: string, pattern: RegExp, problem: string): string {
  if (!pattern.test(text)) throw new Error(problem)
  return text
}

/** Accepts decimal digits only. */
export function parseCount(text: string, minimum: number, maximum: number): number {
  const count = Number(text)
  if (/^\d{1,9}$/.test(text) && count >= minimum && count <= maximum) return count
  throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
}

const UNITS = { second: 1, day: 86_400 } as const
const EXAMPLES = { second: '30 or 30s', day: '30, 30d or 4w' } as const

/** Parses a number in the default unit, or a duration with units: `90`, `90s`, `1m30s`. */
export function parseDuration(
  text: string,
  unit: keyof typeof UNITS,
  minimum: number,
  maximum: number,
): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : (parseTtl(text) ?? NaN) / UNITS[unit]
  if (Number.isInteger(count) && count >= minimum && count <= maximum) return count
  throw new Error(`must be ${minimum} to ${maximum} ${unit}s, like ${EXAMPLES[unit]}`)
}

export function parseEndpoint(text: string): Endpoint {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:\s]+):)?(\d{1,5})$/.exec(text)
  const port = Number(match?.[2])
  if (match === null || port > 65_535) throw new Error('must be HOST:PORT, like 127.0.0.1:8080 or [::1]:8080')
  const host = (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, '')
  return { host: host === 'localhost' ? '127.0.0.1' : host, port }
}

export const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export function parseNetworks(text: string): readonly string[] {
  const networks = partsOf(text)
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const family = isIP(address)
    const limit = family === 4 ? 32 : 128
    const wrongBits = bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > limit)
    if (family === 0 || wrongBits || rest.length > 0)
      throw new Error(`"${network}" is not an address or a network`)
  }
  return networks
}
