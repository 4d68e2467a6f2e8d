// The change set of a unit whose rows another thread writes: the main thread begins and ends it, the other one appends.
import {
  createRemoteTransaction,
  type RecordsDelta,
  sendDelta,
  type SentRecordList,
  type Transaction,
} from '@zonereeve/storage'
import { type CountedKinds, countKinds } from './audit-change.ts'
import { createOpWriter } from './change-ops.store.ts'
import type { Appending, ChangeHeader } from './changes.store.ts'

type RemoteDeps = Parameters<typeof createRemoteTransaction>[0] & {
  /** The main thread, which knows the actor, begins the change set. @returns its position. */
  readonly begin: (header: ChangeHeader) => Promise<number>
  /** @param transferred its memory. */
  readonly sendAdded: (list: SentRecordList, transferred: readonly ArrayBuffer[]) => void
}

/** In the other thread. */
export function createRemoteChanges({ begin: beginThere, sendAdded, ...deps }: RemoteDeps) {
  const remote = createRemoteTransaction(deps)
  const kinds: CountedKinds = new Map()
  let writer: ReturnType<typeof createOpWriter> | undefined
  let delta: RecordsDelta | undefined
  return { tx: remote.tx, take: remote.take, begin, end }

  async function begin(tx: Transaction, header: ChangeHeader): Promise<Appending> {
    const operations = createOpWriter(tx, await beginThere(header), 0)
    writer = operations
    return {
      carry: (carried) => void (delta = carried),
      carryAhead: ({ sent }) => sendAdded(sent, sent.memory.blocks),
      append(appended) {
        countKinds(kinds, appended)
        return operations.append(appended)
      },
    }
  }

  /** Sends the last statements. @returns what is left to the main thread: `addWritten` and `carry`. */
  async function end() {
    await writer?.flush()
    remote.flush()
    return { kinds, delta: delta && sendDelta(delta) }
  }
}
