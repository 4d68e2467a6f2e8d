// Sources of scripts: stores what was fetched, returns it, and compares two of them. They are hostile content: they
// are stored compressed, returned as files, and parsed only in the process that analyzes scripts.
import { constants, brotliCompress, brotliDecompress } from 'node:zlib'
import { promisify } from 'node:util'
import { type Clock, DomainError } from '@zonereeve/platform'
import type { ScriptDiff } from '@zonereeve/script-analysis'
import type { Storage } from '@zonereeve/storage'
import { requireZone } from '../../zones/index.ts'
import type { AnalysisEnd } from './analysis-state.rules.ts'
import { cutoffsAt, isForgotten } from './life-cycle.rules.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { retentionOf } from './settings.store.ts'
import { findSource, spansOf, type FetchedSpan, type StoredSource } from './sources.store.ts'

/** Compressed sources of a zone. */
export const MAX_SOURCE_BYTES = 256 * 1_048_576
/** Fast, and nearly as good as the best for scripts. */
const QUALITY = 5

export interface ScriptSource {
  readonly bytes: Uint8Array
  /** As sent by the server; null = none. */
  readonly charset: string | null
}

/** Compares two scripts in a process that can be stopped. @returns why it was stopped, if it was. */
export type CompareScripts = (before: ScriptSource, after: ScriptSource) => Promise<ScriptDiff | AnalysisEnd>

export interface ComparedContents {
  readonly script: StoredResource
  readonly before: FetchedSpan
  readonly after: FetchedSpan
  readonly diff: ScriptDiff
}

export interface SourcesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly compareScripts: CompareScripts
}

export type Sources = ReturnType<typeof createSources>

export function createSources({ storage, clock, compareScripts }: SourcesDeps) {
  let comparing = 0
  return { get, compare }

  /** @throws DomainError: zone.unknown, page_shield.script_unknown, page_shield.content_unknown, page_shield.source_unknown. */
  async function get(zoneId: string, scriptId: string, contentSha256: string): Promise<ScriptSource> {
    const { spans } = await requireScript(zoneId, scriptId)
    return readSource(requireSpan(spans, contentSha256, undefined))
  }

  /**
   * Compares two contents of a script.
   * @param from digest; undefined = the one before `to`.
   * @param to digest; undefined = the current one.
   * @throws DomainError: as `get`, and page_shield.diff_single, page_shield.diff_busy, page_shield.diff_ended.
   */
  async function compare(
    zoneId: string,
    scriptId: string,
    from: string | undefined,
    to: string | undefined,
  ): Promise<ComparedContents> {
    const { script, spans } = await requireScript(zoneId, scriptId)
    const after = to === undefined ? spans[0] : requireSpan(spans, to, '/to')
    if (after === undefined) throw new DomainError({ reason: 'page_shield.content_unknown' })
    const earlier = spans.slice(spans.indexOf(after) + 1)
    const before = from === undefined ? earlier[0] : requireSpan(spans, from, '/from')
    if (before === undefined) throw new DomainError({ reason: 'page_shield.diff_single' })
    const sources = [await readSource(before), await readSource(after)] as const
    return { script, before, after, diff: await compareLimited(...sources) }
  }

  async function compareLimited(before: ScriptSource, after: ScriptSource): Promise<ScriptDiff> {
    if (comparing >= MAX_COMPARING) throw new DomainError({ reason: 'page_shield.diff_busy' })
    comparing += 1
    try {
      const diff = await compareScripts(before, after)
      if (typeof diff !== 'string') return diff
    } finally {
      comparing -= 1
    }
    throw new DomainError({ reason: 'page_shield.diff_ended' })
  }

  async function requireScript(zoneId: string, scriptId: string) {
    await requireZone(storage, zoneId)
    const script = await findResource(storage, zoneId, scriptId)
    const cutoffs = cutoffsAt(clock.now(), await retentionOf(storage, zoneId))
    if (script === undefined || script.kind !== 'script' || isForgotten(script, cutoffs))
      throw new DomainError({ reason: 'page_shield.script_unknown' })
    return { script, spans: await spansOf(storage, scriptId) }
  }

  async function readSource({ zoneId, contentSha256, byteLength }: FetchedSpan): Promise<ScriptSource> {
    const stored = await findSource(storage, zoneId, contentSha256)
    if (stored === undefined) throw new DomainError({ reason: 'page_shield.source_unknown' })
    return {
      bytes: await decompress(stored.source, { maxOutputLength: Math.max(1, byteLength) }),
      charset: stored.charset,
    }
  }
}

/** Running and waiting, of all zones: each holds two scripts in memory. */
const MAX_COMPARING = 4

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Compresses what was fetched, before the transaction that stores it. */
export async function toStoredSource(
  zoneId: string,
  contentSha256: string,
  { bytes, charset }: ScriptSource,
): Promise<StoredSource> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const source = await compress(bytes, { params })
  return { zoneId, contentSha256, charset, storedBytes: source.length, source }
}

function requireSpan(
  spans: readonly FetchedSpan[],
  contentSha256: string,
  pointer: string | undefined,
): FetchedSpan {
  const found = spans.find((span) => span.contentSha256 === contentSha256)
  if (found !== undefined) return found
  throw new DomainError({ reason: 'page_shield.content_unknown', ...(pointer !== undefined && { pointer }) })
}
