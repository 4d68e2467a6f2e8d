// A log between those who receive browser reports and the one who stores them: a stream of Redis, or of a server that
// speaks its protocol. An entry is there until it is stored, whichever side ends.
import { createClient } from '@redis/client'
import { backoffMillis } from '@zonereeve/cooperate'

/** More are refused: the one who stores them has been away for long, and the memory of the log is limited. */
export const MAX_ENTRIES = 20_000
const STREAM = 'zonereeve:reports'
const CHUNK_ENTRIES = 16
const CONNECT_MILLIS = 5_000
/** Of a connection on which nothing is sent or received: pings are, so that its other end is gone or hangs. */
const SILENCE_MILLIS = 5_000
const PINGED_MILLIS = 2_000
const FIRST_PAUSE_MILLIS = 200
const LONGEST_PAUSE_MILLIS = 3_000

export interface LogEntry {
  /** Where it is in the log. */
  readonly position: string
  readonly text: string
}

export interface ReportLog {
  /** Resolves when the log has the entry. @throws Error: it is full, or does not answer */
  append(text: string): Promise<void>
  /** The next entries after a position, in order; undefined: from the first. @throws Error: it does not answer */
  read(after: string | undefined): Promise<readonly LogEntry[]>
  /** Forgets the entries up to a position. */
  forget(upTo: string): Promise<void>
  close(): Promise<void>
}

export interface ReportLogOptions {
  /** `redis:` or `rediss:`. */
  readonly url: string
  readonly password?: string | undefined
  /** Called when the connection breaks, and for each attempt to make it again that fails. */
  readonly noteFailure: (failure: unknown) => void
  /** Called when it is made. */
  readonly noteConnected?: () => void
}

/** Connects when it can: requests fail until then. */
export function openReportLog(options: ReportLogOptions): ReportLog {
  const { url, password, noteFailure, noteConnected } = options
  let isClosed = false
  const client = createClient({
    url,
    ...(password !== undefined && { password }),
    disableOfflineQueue: true,
    pingInterval: PINGED_MILLIS,
    socket: {
      connectTimeout: CONNECT_MILLIS,
      // The only limit of commands that are sent: without it, they wait for a server that hangs for as long as it does.
      socketTimeout: SILENCE_MILLIS,
      reconnectStrategy: (retries) => backoffMillis(retries + 1, FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS),
    },
  })
  client.on('error', noteFailure)
  client.on('ready', () => {
    // The client does not cancel an attempt to connect.
    if (isClosed) client.destroy()
    else noteConnected?.()
  })
  client.connect().catch(() => {}) // tried until it is closed
  return {
    async append(text) {
      if ((await client.xLen(STREAM)) >= MAX_ENTRIES) throw new Error(`the log has ${MAX_ENTRIES} entries`)
      await client.xAdd(STREAM, '*', { batch: text })
    },
    async read(after) {
      const entries = await entriesAfter(after)
      if (entries.length > 0 || after === undefined) return entries
      const last = await lastPosition()
      // A log that was lost counts from the clock of its machine, which may be behind that of the one before.
      return last === undefined || isBefore(last, after) ? entriesAfter(undefined) : entries
    },
    async forget(upTo) {
      await client.xTrim(STREAM, 'MINID', nextOf(upTo))
    },
    async close() {
      isClosed = true
      client.destroy()
    },
  }

  async function entriesAfter(after: string | undefined): Promise<readonly LogEntry[]> {
    const start = after === undefined ? '-' : nextOf(after)
    const found = await client.xRange(STREAM, start, '+', { COUNT: CHUNK_ENTRIES })
    if (found === null) return []
    return found.map(({ id, message }) => ({ position: id, text: String(message['batch']) }))
  }

  /** Also of an entry that is forgotten; undefined if there was none. */
  async function lastPosition(): Promise<string | undefined> {
    if ((await client.exists(STREAM)) === 0) return undefined
    return String((await client.xInfoStream(STREAM))['last-generated-id'])
  }
}

/** @param position milliseconds and a number within them. */
function partsOf(position: string): readonly [bigint, bigint] {
  const [millis = '0', number = '0'] = position.split('-')
  return [BigInt(millis), BigInt(number)]
}

function isBefore(a: string, b: string): boolean {
  const [[aMillis, aNumber], [bMillis, bNumber]] = [partsOf(a), partsOf(b)]
  return aMillis === bMillis ? aNumber < bNumber : aMillis < bMillis
}

function nextOf(position: string): string {
  const [millis, number] = partsOf(position)
  return `${millis}-${number + 1n}`
}
