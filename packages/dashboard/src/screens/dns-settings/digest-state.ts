// What is said of the digest that a zone's transfers contain.
import type { WireIncomingStatus, WireOutgoingProgress } from '../../api/transfers.ts'
import type { Tone } from '../../parts/status-word.tsx'
import { dnsSettingStrings } from '../../strings/dns-settings.ts'

const { states, verified, noneYet, notVerified } = dnsSettingStrings.digest

type Progress = Pick<WireOutgoingProgress, 'enabled' | 'digest_state' | 'digest_serial' | 'soa_serial'>

/** Whether it changes without anybody doing anything, as the setting is on. */
export const isDigestPending = (progress: Progress | null | undefined): boolean =>
  progress?.enabled === true && (progress.digest_state === 'awaited' || progress.digest_state === 'off')

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
    case 'awaited':
      return { tone: 'expected', words: states.awaited }
    case 'off':
      return { tone: 'expected', ...states.notYet }
  }
}

/** Of a secondary zone: whether the digest in its last transfer was right. */
export function verifiedDigestOf({
  state,
  verified_serial: serial,
}: Pick<WireIncomingStatus, 'state' | 'verified_serial'>): { readonly tone: Tone; readonly words: string } {
  if (serial !== null) return { tone: 'normal', words: verified(serial) }
  return { tone: 'off', words: state === 'waiting' ? noneYet : notVerified }
}
