// A database that cannot be written now, because its disk is full or read-only: it is opened for reading, so
// that DNS is answered, and reopened periodically until it is writable.
import type { Log } from '@zonereeve/platform'
import { isTemporary, storageFailure } from './failures.ts'
import type { Reader, Storage } from './storage.ts'

const RETRY_MILLIS = 2_000

export interface ReadOnlyDeps {
  readonly reader: Reader & { close(): void }
  /** Why it is not writable. */
  readonly failure: unknown
  /** Opens it for writing. */
  readonly reopen: () => Promise<Storage>
  readonly log: Log
}

export function createReadOnlyStorage({ reader, failure, reopen, log }: ReadOnlyDeps): Storage {
  let writable: Storage | undefined
  let reason = storageFailure(failure)
  let opening: Promise<void> | undefined
  const timer = setInterval(() => void tryOpening(), RETRY_MILLIS)
  timer.unref()
  log.error({ err: failure }, 'database cannot be written')
  const currentReader = (): Reader => writable ?? reader

  return {
    engine: 'sqlite',
    all: (compilable) => currentReader().all(compilable),
    first: (compilable) => currentReader().first(compilable),
    each: (compilable, take) => currentReader().each(compilable, take),
    get offload() {
      return writable?.offload ?? reader
    },
    write: (unit) => (writable === undefined ? Promise.reject(reason) : writable.write(unit)),
    healthy: async () => (await writable?.healthy()) ?? false,
    async close() {
      clearInterval(timer)
      await opening
      if (writable === undefined) reader.close()
      else await writable.close()
    },
  }

  function tryOpening(): Promise<void> {
    return (opening ??= open().finally(() => {
      opening = undefined
    }))
  }

  async function open(): Promise<void> {
    if (writable !== undefined) return
    try {
      writable = await reopen()
    } catch (next) {
      // A different reason (another server was faster, the file is gone) needs the operator.
      if (!isTemporary(next)) log.error({ err: next }, 'database cannot be written')
      reason = storageFailure(next)
      return
    }
    clearInterval(timer)
    reader.close()
    log.info({}, 'database can be written again')
  }
}
