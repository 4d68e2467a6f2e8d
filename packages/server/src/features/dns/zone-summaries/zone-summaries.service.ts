// Summaries of zones for lists: of those only that the caller may read, and with what the caller may read of them.
import { MAY_READ, type Caller } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { countPeers, type SecondaryDnsDeps } from '../secondary-dns/index.ts'
import { findSummaries, type StoredSummary } from './zone-summaries.store.ts'

/** How often a zone was answered. */
interface AnswerRates {
  readonly perSecond: number
  /** Averages of a twelfth of a day each, oldest first, without those before the first bin. */
  readonly day: readonly number[]
}

export interface ZoneSummary extends Omit<StoredSummary, 'monitoring' | 'firewall' | 'rules'> {
  /** Undefined: none are counted, or the caller may not read them. The same holds for the members below. */
  readonly answers: AnswerRates | undefined
  /** Number of peers by state; undefined if no transfers are enabled. */
  readonly secondaries: Readonly<Record<'current' | 'behind' | 'unknown', number>> | undefined
  readonly monitoring: StoredSummary['monitoring'] | undefined
  readonly firewall: StoredSummary['firewall'] | undefined
  readonly rules: StoredSummary['rules'] | undefined
}

export interface ZoneSummariesDeps extends Pick<SecondaryDnsDeps, 'peersProgress'> {
  readonly storage: Reader
  readonly answerRates: (zoneName: string) => AnswerRates | undefined
}

export type ZoneSummaries = ReturnType<typeof createZoneSummaries>

export function createZoneSummaries({ storage, peersProgress, answerRates }: ZoneSummariesDeps) {
  return { list }

  async function list(caller: Caller, ids: readonly string[]): Promise<ZoneSummary[]> {
    const found = await findSummaries(storage, ids)
    return found.flatMap((summary) => {
      const { id, accountId, name, monitoring, firewall, rules } = summary
      const may = (anyOf: readonly string[]): boolean =>
        caller.can(anyOf, { kind: 'zone', zoneId: id, accountId })
      if (!may(MAY_READ.dns)) return []
      const mayReadRules = may(MAY_READ.rulesets)
      return {
        ...summary,
        answers: may(MAY_READ.zone) ? answerRates(name) : undefined,
        secondaries: countStates(peersProgress(id)),
        monitoring: may(MAY_READ.monitoring) ? monitoring : undefined,
        firewall: mayReadRules ? firewall : undefined,
        rules: mayReadRules ? rules : undefined,
      }
    })
  }
}

function countStates(peers: ReturnType<ZoneSummariesDeps['peersProgress']>): ZoneSummary['secondaries'] {
  return peers.length === 0 ? undefined : countPeers(peers)
}
