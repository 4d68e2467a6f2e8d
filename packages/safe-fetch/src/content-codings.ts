// Streaming decoders for content codings (RFC 9110 §8.4.1); the reader of the output limits its size.
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

type Decoder = () => Transform

/** The Zstandard window over HTTP is at most 8 MiB (RFC 9659 §3). */
const ZSTD_WINDOW_LOG = 23
const ZSTD_D_WINDOW_LOG_MAX = 100

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ...zstdDecoder(),
])

/** Value of Accept-Encoding. */
export const ACCEPT_ENCODING = ['gzip', 'br', ...(DECODERS.has('zstd') ? ['zstd'] : [])].join(', ')

/** @returns null if there is no coding, undefined for an unknown coding or several codings. */
export function findDecoder(contentEncoding: string | undefined): Decoder | null | undefined {
  const coding = contentEncoding?.trim().toLowerCase()
  if (coding === undefined || coding === '' || coding === 'identity') return null
  return DECODERS.get(coding)
}

/** Only newer versions of Node have it (22.15, 23.8). */
function zstdDecoder(): (readonly [string, Decoder])[] {
  // The type definitions are those of the oldest supported Node version.
  const { createZstdDecompress: create } = zlib as {
    readonly createZstdDecompress?: (options: object) => Transform
  }
  if (create === undefined) return []
  return [['zstd', () => create({ params: { [ZSTD_D_WINDOW_LOG_MAX]: ZSTD_WINDOW_LOG } })]]
}
