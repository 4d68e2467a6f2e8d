// The destination of log lines: a bounded buffer written in the background. A full disk, an unread pipe or a
// slow device loses lines, which are counted; it never blocks or ends the program.
import { constants, fstatSync, openSync, write, writeSync, type Stats } from 'node:fs'

export interface LogDestination {
  /** Appends one line with its newline. Never blocks; drops the line if the buffer is full. */
  write(line: string): void
  /**
   * Resolves when everything is written, or after `maxMillis`: a blocked destination must not keep the program
   * alive.
   */
  flush(maxMillis: number): Promise<void>
  /** Number of lost lines. */
  readonly droppedLines: number
}

/** `written` undefined = everything was written. */
export type WriteChunk = (
  chunk: Buffer,
  done: (error: NodeJS.ErrnoException | null, written?: number) => void,
) => void

/** A few thousand lines. */
const MAX_BUFFERED_BYTES = 1_048_576
/** Maximum size of lines that are written together. */
const MAX_CHUNK_BYTES = 65_536
const RETRY_MILLIS = 200

/** @param dropNotice formats the line that reports the number of dropped lines, once writing works again. */
export function createLogDestination(
  writeChunk: WriteChunk,
  dropNotice: (lines: number) => string,
  maxBufferedBytes = MAX_BUFFERED_BYTES,
): LogDestination & { takeRest(): Buffer } {
  let lines: string[] = []
  let bufferedBytes = 0
  let underWay: Buffer | undefined
  let isDue = false
  let droppedLines = 0
  let reportedLines = 0
  let waiting: (() => void)[] = []

  return {
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (bufferedBytes + bytes > maxBufferedBytes) {
        droppedLines += 1
        return
      }
      lines.push(line)
      bufferedBytes += bytes
      if (isDue) return
      isDue = true
      setImmediate(writeDue) // with what else this turn of the event loop logs
    },
    flush(maxMillis) {
      if (isDue) writeDue()
      if (underWay === undefined) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, maxMillis)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
    get droppedLines() {
      return droppedLines
    },
    takeRest() {
      const rest = Buffer.from(lines.join(''))
      lines = []
      return rest
    },
  }

  function writeDue(): void {
    isDue = false
    next()
  }

  function next(): void {
    if (underWay !== undefined) return
    if (lines.length === 0) {
      const done = waiting
      waiting = []
      for (const resolve of done) resolve()
      return
    }
    let count = 0
    let bytes = 0
    for (const line of lines) {
      if (bytes >= MAX_CHUNK_BYTES) break
      count += 1
      bytes += Buffer.byteLength(line)
    }
    underWay = Buffer.from(lines.splice(0, count).join(''))
    send(underWay)
  }

  function send(chunk: Buffer): void {
    underWay = chunk
    writeChunk(chunk, (error, written = chunk.length) => {
      // Retried until it works: newer lines are dropped while the buffer is full. It must not keep the process
      // alive.
      if (error !== null) return void setTimeout(() => send(chunk), RETRY_MILLIS).unref()
      bufferedBytes -= written
      if (written < chunk.length) return send(chunk.subarray(written))
      underWay = undefined
      reportDropped()
      next()
    })
  }

  function reportDropped(): void {
    if (droppedLines === reportedLines) return
    const notice = dropNotice(droppedLines - reportedLines)
    reportedLines = droppedLines
    lines.unshift(notice)
    bufferedBytes += Buffer.byteLength(notice)
  }
}

/** Standard error as a destination. When the process ends, the rest is written as far as that does not block. */
export function openStandardError(dropNotice: (lines: number) => string): LogDestination {
  const fd = openWithoutBlocking(2)
  const destination = createLogDestination(
    (chunk, done) => write(fd, chunk, 0, chunk.length, null, done),
    dropNotice,
  )
  process.once('exit', () => {
    const rest = destination.takeRest()
    if (rest.length === 0) return
    try {
      for (let at = 0; at < rest.length;) at += writeSync(fd, rest, at)
    } catch {
      // The process is ending, and nothing else is left to report a full log to.
    }
  })
  return destination
}

/**
 * A blocked write occupies a thread of Node's pool and keeps the process from ending, so a pipe or terminal is
 * opened again in non-blocking mode (the mode of descriptor 2 itself is shared with other processes).
 */
function openWithoutBlocking(standardFd: 2): number {
  const stats = statOf(standardFd)
  // A journal socket cannot be opened again. Node's stream for it sets non-blocking mode; the stream itself is
  // not used, because its pending writes would keep the process from ending.
  if (stats?.isSocket()) void process.stderr
  return stats?.isFIFO() || stats?.isCharacterDevice() ? reopen(standardFd) : standardFd
}

function statOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd)
  } catch {
    return undefined
  }
}

function reopen(fd: number): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    // Systems without /proc, or pipes without a reader: keep using the original descriptor.
    return fd
  }
}
