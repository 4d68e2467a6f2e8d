// Reads the zone from the API and the zone file locally, so that no request limit applies to the file.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { domainToASCII } from 'node:url'
import {
  createZoneReader,
  MAX_ENTRY_CHARACTERS,
  parseName,
  type Name,
  type ZoneFileError,
  type ZoneFileRecord,
} from '@zonereeve/dns'
import type { Api } from './api.ts'

export interface RemoteZone {
  readonly id: string
  readonly name: Name
  /** Entity tag of the zone when it was read. */
  readonly etag: string
}

/** @throws ApiError, Error. */
export async function findZone(api: Api, nameOrId: string): Promise<RemoteZone> {
  const id = await api.zoneId(nameOrId)
  const { result, etag } = await api.send<{ readonly name: string }>('GET', `/zones/${id}`)
  return { id, name: parseName(domainToASCII(result.name)), etag }
}

export interface SourceItem {
  readonly item: ZoneFileRecord | ZoneFileError
  /** The share of the file read so far, from 0 to 1. */
  readonly share: number
}

/** For records without a TTL and without a preceding one: automatic. */
const DEFAULT_TTL = 1

/**
 * Reads a file chunk by chunk.
 * @throws Error if it is not UTF-8, with the line number.
 */
export async function* readSource(path: string, origin: Name): AsyncGenerator<SourceItem> {
  const size = (await stat(path)).size
  const reader = createZoneReader({ origin, defaultTtlSeconds: DEFAULT_TTL })
  const stream = createReadStream(path)
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let line = 0
  try {
    for await (const chunk of stream) {
      const lines = (rest + utf8.decode(chunk as Buffer, { stream: true })).split('\n') // opened without an encoding
      rest = lines.pop() ?? ''
      for (const text of lines) {
        line += 1
        for (const item of reader.line(text)) yield { item, share: stream.bytesRead / size }
      }
      if (rest.length > MAX_ENTRY_CHARACTERS) throw new Error(`${path}: line ${line + 1} does not end`)
    }
    rest += utf8.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Error(`${path}: the text after line ${line} is not UTF-8`, { cause: error })
  }
  for (const item of rest === '' ? [] : reader.line(rest)) yield { item, share: 1 }
  for (const item of reader.end()) yield { item, share: 1 }
}
