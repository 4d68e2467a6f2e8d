// What is said of the digest that a zone's transfers contain.
import type { WireOutgoingProgress } from '../../api/transfers.ts'
import type { Tone } from '../../parts/status-word.tsx'
import { dnsSettingStrings } from '../../strings/dns-settings.ts'

const { states } = dnsSettingStrings.digest

type Progress = Pick<WireOutgoingProgress, 'enabled' | 'digest_state' | 'digest_serial' | 'soa_serial'>

/** Awaited, made, or replaced by that of a newer serial soon. */
export const isDigestPending = (progress: Progress | null | undefined): boolean =>
  progress?.enabled === true && progress.digest_state === 'awaited'

/** @param progress null if no transfers were set up */
export function digestStateOf(progress: Progress | null): {
  readonly tone: Tone
  readonly words: string
  readonly detail?: string
} {
  if (progress?.enabled !== true) return { tone: 'off', ...states.noTransfers }
  switch (progress.digest_state) {
    case 'answered':
      return { tone: 'normal', words: states.answered(progress.digest_serial ?? progress.soa_serial) }
    case 'too_large':
      return { tone: 'warning', ...states.tooLarge }
    case 'at_transfer':
      return { tone: 'expected', ...states.atTransfer }
    // `off`: the setting is stored, and not in effect yet.
    case 'awaited':
    case 'off':
      return { tone: 'expected', words: states.awaited }
  }
}
