// Handles errors that reach no caller: of sockets, streams and child processes, and of the process's own
// output.
import type { Log } from './log.ts'

/** System calls that only sockets and child processes use. */
const OUTSIDE_CALLS = /^(?:accept|bind|connect|getaddrinfo|recvmsg|send|shutdown|spawn)/
/** Error codes of reads and writes, which files have too, and of Node itself. */
const OUTSIDE_CODES =
  /^(?:ECONNABORTED|ECONNRESET|EMFILE|ENFILE|ENOTCONN|EPIPE|ETIMEDOUT|ERR_(?:HTTP2|IPC|SOCKET|SSL|STREAM|TLS)_.*)$/

/**
 * Logs errors of sockets, streams and child processes without their own error listener, and lets the program
 * continue. Each should have a listener; this catches those that were forgotten. Any other error may have left
 * a task half done: it ends the process, as without this handler. Returns a function that removes the handler.
 */
export function surviveStrayErrors(log: Pick<Log, 'error'>): () => void {
  const unwatch = (): void => void process.off('uncaughtException', watch)
  const watch = (error: unknown): void => {
    if (isOfOutside(error)) return log.error({ err: error }, 'error without a listener')
    unwatch()
    process.nextTick(() => {
      throw error
    })
  }
  process.on('uncaughtException', watch)
  return unwatch
}

/** True for failures of the network, the other end, or a system limit: only the affected operation is lost. */
function isOfOutside(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException // the form of system errors
  return OUTSIDE_CALLS.test(syscall) || OUTSIDE_CODES.test(code)
}

/** Lets a command go on when its output is no longer read (`| head`), and fail when its output cannot be written. */
export function watchOutput(): void {
  for (const [stream, failed] of [
    [process.stdout, stdoutFailed],
    [process.stderr, stderrFailed],
  ] as const)
    if (!stream.listeners('error').includes(failed)) stream.on('error', failed)
}

function stdoutFailed(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') return
  process.exitCode = 1
  process.stderr.write(`zonereeve: the output cannot be written: ${error.message}\n`)
}

function stderrFailed(): void {
  // There is no output left to report it to.
}
