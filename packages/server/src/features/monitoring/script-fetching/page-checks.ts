// Checks watched pages: fetches each like any URL from others, reads its headers and the scripts in its HTML, and runs
// nothing.
import { FetchFailed, type SafeFetch } from '@zonereeve/safe-fetch'
import type { Log } from '@zonereeve/platform'
import { createPageReader } from '@zonereeve/script-analysis'
import type { PageObservations, PageScan, RecordScan, WatchedPage } from '../watched-pages/index.ts'

const PAGES = ['text/html', 'application/xhtml+xml']
/** Concurrent checks. */
const MAX_CHECKS = 2
const LIMITS = { maxBytes: 5 * 1_048_576, totalMillis: 20_000, idleMillis: 10_000 }

/** Opens a page in a browser. */
export type ScanPage = (url: string, signal: AbortSignal) => Promise<PageScan>

export interface PageChecksDeps {
  readonly observations: PageObservations
  readonly safeFetch: Pick<SafeFetch, 'stream'>
  readonly scanPage: ScanPage
  readonly recordScan: RecordScan
  readonly log: Log
}

export function createPageChecks({ observations, safeFetch, scanPage, recordScan, log }: PageChecksDeps) {
  /** Checks the due pages, a few at a time. */
  return async function checkDue(signal: AbortSignal): Promise<void> {
    const due = await observations.takeDue(MAX_CHECKS)
    await Promise.all(due.map((page) => check(page, signal)))
  }

  async function check(page: WatchedPage, signal: AbortSignal): Promise<void> {
    const { id, zoneId, url } = page
    let decoder = new TextDecoder()
    const reader = createPageReader()
    try {
      const fetched = await safeFetch.stream(
        {
          url,
          accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
          ...LIMITS,
          isWanted({ essence, charset }) {
            decoder = decoderOf(charset)
            return PAGES.includes(essence)
          },
          signal,
        },
        (chunk) => reader.write(decoder.decode(chunk, { stream: true })),
      )
      if (fetched.kind === 'unchanged') throw new Error('a page was asked for without a condition')
      reader.write(decoder.decode())
      const { url: finalUrl, headers } = fetched
      const observed = { source: 'fetch', finalUrl, headers, scripts: reader.end(finalUrl) } as const
      const isDone = !page.isScanned || (await isScanned(page, signal))
      await observations.save(page, observed, isDone)
      if (!isDone && !signal.aborted) await observations.saveFailure(page, 'browser')
    } catch (error) {
      // The lease ends by itself, and the page is checked again.
      if (signal.aborted) return
      const problem = error instanceof FetchFailed && error.problem !== 'stopped' ? error.problem : 'failure'
      if (problem === 'failure') log.error({ err: error, zoneId, pageId: id }, 'page check failed')
      else log.info({ zoneId, pageId: id, url, problem }, 'page could not be fetched')
      await observations.saveFailure(page, problem)
    }
  }

  async function isScanned({ id, zoneId, url }: WatchedPage, signal: AbortSignal): Promise<boolean> {
    try {
      await recordScan(zoneId, url, await scanPage(url, signal))
      return true
    } catch (error) {
      // What is missing is said in the error: a browser, or the page.
      log.warn({ err: error, zoneId, pageId: id, url }, 'page could not be scanned')
      return false
    }
  }
}

function decoderOf(charset: string | null) {
  try {
    return new TextDecoder(charset ?? 'utf-8') // as most pages are
  } catch {
    return new TextDecoder() // an unknown name
  }
}
