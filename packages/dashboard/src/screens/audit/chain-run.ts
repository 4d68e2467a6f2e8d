// The check of the whole audit log in the browser: it does not trust the server that is checked.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { CHAIN_START, checkChain, readLine, type ChainFault, type Link } from '@zonereeve/audit'

export type ReadLines = (after: number, signal: AbortSignal) => Promise<readonly string[]>

export type Outcome =
  | { readonly kind: 'whole'; readonly entries: number; readonly first: number; readonly last: Link }
  | { readonly kind: 'broken'; readonly fault: ChainFault }
  | { readonly kind: 'empty' }

/** Entries that are checked before the page is drawn again. */
const CHUNK_SIZE = 500

const hexHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** `4711:hash`, as a check prints it; undefined if it is something else. */
export function readLink(text: string): Link | undefined {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim().toLowerCase()) ?? []
  return number === undefined || hash === undefined ? undefined : { number: Number(number), hash }
}

/**
 * Reads all entries, oldest first. Retention may have deleted the first ones: the chain begins with the first there is.
 *
 * @param expected an entry that must be there.
 * @param onProgress called with the number of entries so far.
 */
export async function checkLog(
  readLines: ReadLines,
  expected: Link | undefined,
  onProgress: (entries: number) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  let check: ReturnType<typeof checkChain> | undefined
  let [entries, first, after] = [0, 0, 0]
  for (;;) {
    const lines = await readLines(after, signal)
    for (const line of lines) {
      const { entry, previousHash } = readLine(line)
      if (check === undefined) {
        first = entry.number
        const start = first === 1 ? CHAIN_START : previousHash
        check = checkChain(hexHash, { number: first - 1, hash: start }, expected)
      }
      const fault = check.take(entry)
      if (fault !== undefined) return { kind: 'broken', fault }
      after = entry.number
      entries += 1
      if (entries % CHUNK_SIZE === 0) await drawn(entries, onProgress)
    }
    if (lines.length === 0) break
  }
  if (check === undefined) return { kind: 'empty' }
  const last = check.end()
  return 'kind' in last ? { kind: 'broken', fault: last } : { kind: 'whole', entries, first, last }
}

async function drawn(entries: number, onProgress: (entries: number) => void): Promise<void> {
  onProgress(entries)
  await new Promise((resolve) => setTimeout(resolve, 0))
}
