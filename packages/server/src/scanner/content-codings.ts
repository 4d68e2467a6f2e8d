// Content codings (RFC 9110 §8.4.1) that are undone on the way, in streams: what comes out is counted by whoever reads it.
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

type Decoder = () => Transform

/** The window of Zstandard over HTTP is 8 MiB at most (RFC 9659 §3). */
const ZSTD_WINDOW_LOG = 23
const ZSTD_D_WINDOW_LOG_MAX = 100

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ...zstdDecoder(),
])

/** What may be asked for. */
export const ACCEPT_ENCODING = ['gzip', 'br', ...(DECODERS.has('zstd') ? ['zstd'] : [])].join(', ')

/** @returns null where nothing is to be undone, undefined for a coding that is not known, and for codings upon codings. */
export function findDecoder(contentEncoding: string | undefined): Decoder | null | undefined {
  const coding = contentEncoding?.trim().toLowerCase() ?? ''
  return coding === '' || coding === 'identity' ? null : DECODERS.get(coding)
}

/** Only newer versions of Node have it (22.15, 23.8). */
function zstdDecoder(): (readonly [string, Decoder])[] {
  // The types are of the oldest version of Node that we run on.
  const { createZstdDecompress: create } = zlib as {
    readonly createZstdDecompress?: (options: object) => Transform
  }
  if (create === undefined) return []
  return [['zstd', () => create({ params: { [ZSTD_D_WINDOW_LOG_MAX]: ZSTD_WINDOW_LOG } })]]
}
