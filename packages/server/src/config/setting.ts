// What a setting is, and how values of common shapes are read.
import { isIP } from 'node:net'

export interface Setting<T> {
  readonly name: string
  /** The flag's value placeholder; undefined for settings that are not given as flags (secrets). */
  readonly placeholder?: string
  readonly description: string
  readonly usual: string | undefined
  readonly secret?: true
  /** @throws Error saying what would be right. */
  parse(text: string): T
}

export interface Endpoint {
  readonly host: string
  readonly port: number
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
