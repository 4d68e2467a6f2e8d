// What sends zones to peers, and notes how far these are.
import {
  createOutgoing,
  createTransferPolicies,
  digestStatusOf,
  verifiedSerialOf,
  type DigestStatus,
  type TransferPolicies,
  type ZoneTable,
} from '@zonereeve/nameserver'
import type { Clock, Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { createNotifier, createPeersProgress } from '@zonereeve/transfers'
import { saveAllSeen } from '../secondary-dns/index.ts'
import { bumpSerial } from '../../zones/index.ts'

export interface SendingDeps {
  readonly table: ZoneTable
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
}

interface Seen {
  checkedOn: string | null
  transferredOn: string | null
}

const NO_DIGEST: DigestStatus = { state: 'off', serial: undefined }

const UNSEEN: Seen = { checkedOn: null, transferredOn: null }

/** What sends zones to peers, notes how far these are, and what answers about it. */
export function createSending({ table, storage, clock, log }: SendingDeps) {
  const policies: TransferPolicies = createTransferPolicies()
  const progress = createPeersProgress({ table, policies, clock })
  const notifier = createNotifier({
    table,
    policies,
    clock,
    log,
    acknowledged: progress.recordAcknowledgement,
  })
  const seen = new Map<string, Seen>()
  /** Zones whose peers have come since that was saved last. */
  const unsaved = new Set<string>()
  return {
    policies,
    progress,
    notifier,
    outgoing: createOutgoing({ table, stepped: progress.zoneChanged, announced: notifier.notify, log }),
    observe,
    saveSeen,
    digestStatus(zoneId: string): DigestStatus {
      const zone = table.zone(zoneId)
      return zone === undefined ? NO_DIGEST : digestStatusOf(zone)
    },
    verifiedSerial(zoneId: string): number | undefined {
      const zone = table.zone(zoneId)
      return zone && verifiedSerialOf(zone)
    },
    isOpen: (zoneId: string): boolean => policies.zone(zoneId) !== undefined,
    lastSeen,
  }

  function lastSeen(zoneId: string): Readonly<Seen> {
    return seen.get(zoneId) ?? UNSEEN
  }

  function observe({
    zoneId,
    kind,
  }: {
    readonly zoneId: string
    readonly kind: 'checked' | 'transferred'
  }): void {
    const at = clock.timestamp()
    const before = lastSeen(zoneId)
    unsaved.add(zoneId)
    seen.set(zoneId, kind === 'checked' ? { ...before, checkedOn: at } : { checkedOn: at, transferredOn: at })
  }

  async function saveSeen(): Promise<void> {
    const latest = [...unsaved].map((zoneId) => [zoneId, lastSeen(zoneId)] as const)
    unsaved.clear()
    try {
      if (latest.length > 0) await saveAllSeen(storage, new Map(latest))
    } catch (error) {
      // Memory has it as long as the program runs; the peers come again.
      log.warn({ err: error }, 'times of transfers not saved')
    }
  }
}

export type Sending = ReturnType<typeof createSending>

/** Moves serials of zones whose answers change although nothing of them is stored. Failures are logged. */
export function createSerialSteps({ storage, clock, log }: Pick<SendingDeps, 'storage' | 'clock' | 'log'>) {
  let isClosed = false
  return {
    close: () => void (isClosed = true),
    async step(zoneId: string): Promise<void> {
      if (isClosed) return
      try {
        await bumpSerial({ storage, clock }, zoneId)
      } catch (error) {
        // The next change tries again; until then peers keep what they have, which is whole.
        log.error({ err: error, zoneId }, 'serial not moved')
      }
    },
  }
}
