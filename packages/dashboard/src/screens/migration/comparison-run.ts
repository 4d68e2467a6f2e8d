// Compares a recording batch by batch; leaving the page or Stop ends it.
import { parseIpv4, parseIpv6 } from '@zonereeve/dns'
import {
  batchesOf,
  isRequestOfZone,
  readRecordedRequests,
  type RecordedRequest,
} from '@zonereeve/firewall/recorded-requests.ts'
import { useEffect, useRef, useState } from 'react'
import { compareRequests, type WireFirewallComparison } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { migrationStrings as text } from '../../strings/migration.ts'

/** More would take the page minutes. */
export const MAX_REQUESTS = 20_000

export interface DifferentRequest {
  readonly key: string
  readonly request: string
  readonly url: string
  readonly now: string
  readonly after: string
  readonly by: string
  readonly times: number
}

export interface Compared {
  readonly name: string
  readonly isLog: boolean
  /** Requests of the zone in the file. */
  readonly total: number
  readonly count: number
  readonly differing: number
  readonly elsewhere: number
  readonly unread: number
  readonly rejected: number
  /** Equal requests once, the most frequent first. */
  readonly rows: readonly DifferentRequest[]
}

interface Progress {
  readonly done: number
  readonly all: number
}

export function useComparison(zone: WireZone, isPlanned: boolean) {
  const [progress, setProgress] = useState<Progress>()
  const [compared, setCompared] = useState<Compared>()
  const [error, setError] = useState<Error | null>(null)
  const current = useRef<AbortController>(null)
  const stop = (): void => {
    current.current?.abort()
    setProgress(undefined)
  }
  useEffect(() => () => current.current?.abort(), [])
  const run = (file: File): void => {
    stop()
    const { signal } = (current.current = new AbortController())
    setError(null)
    compare(file, zone, isPlanned, { signal, onProgress: setProgress })
      .then((found) => {
        if (!signal.aborted) setCompared(found)
      })
      .catch((failure: unknown) => {
        if (!signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)))
      })
      .finally(() => {
        if (!signal.aborted) setProgress(undefined)
      })
  }
  return { run, stop, progress, compared, error }
}

interface Run {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

async function compare(
  file: File,
  zone: WireZone,
  isPlanned: boolean,
  { signal, onProgress }: Run,
): Promise<Compared> {
  onProgress({ done: 0, all: 1 })
  const content = await file.text()
  const read = readRecordedRequests(content, { host: zone.name, isAddress })
  const own = read.requests.filter((request) => isRequestOfZone(request, zone.name))
  const elsewhere = read.requests.length - own.length
  if (own.length === 0)
    throw new Error(text.compareNone(file.name, text.compareLeftOut(elsewhere, read.unread, 0)))
  const requests = own.slice(0, MAX_REQUESTS)
  const rows = new Map<string, DifferentRequest>()
  const counts = { done: 0, compared: 0, differing: 0, rejected: 0 }
  for (const batch of batchesOf(requests)) {
    if (signal.aborted) break
    onProgress({ done: counts.done, all: requests.length })
    const found = await compareRequests(zone.id, batch, isPlanned)
    counts.done += batch.length
    counts.compared += found.compared
    counts.differing += found.differences.length
    counts.rejected += found.rejected.length
    for (const difference of found.differences) {
      const row = rowOf(batch, difference)
      const known = rows.get(row.key)
      rows.set(row.key, { ...row, times: known === undefined ? 1 : known.times + 1 })
    }
  }
  return {
    name: file.name,
    isLog: !content.trimStart().startsWith('{'),
    total: own.length,
    count: counts.compared,
    differing: counts.differing,
    elsewhere,
    unread: read.unread,
    rejected: counts.rejected,
    rows: [...rows.values()].toSorted((a, b) => b.times - a.times || (a.key < b.key ? -1 : 1)),
  }
}

const isAddress = (word: string): boolean => parseIpv4(word) !== undefined || parseIpv6(word) !== undefined

function rowOf(
  batch: readonly RecordedRequest[],
  { index, old, new: fresh }: WireFirewallComparison['differences'][number],
): DifferentRequest {
  const sent = batch[index]
  if (sent === undefined) throw new Error(`the server replied about request ${index}, which was not sent`)
  const { pathname, search } = new URL(sent.url)
  const request = `${sent.method} ${pathname}${search}`
  // The rule that makes the difference: the one that decides after the migration, or else the one that did before.
  const decisive = fresh.rule_id === null ? old : fresh
  const by =
    decisive.rule_id === null
      ? text.undecided
      : [decisive.description, fresh.rule_id === null ? decisive.rule_id : decisive.rule_id.slice(0, 8)]
          .filter((part) => part !== null && part !== '')
          .join(', ')
  return {
    key: `${request} ${old.action} ${fresh.action} ${by}`,
    request,
    url: sent.url,
    now: old.action,
    after: fresh.action,
    by,
    times: 1,
  }
}
