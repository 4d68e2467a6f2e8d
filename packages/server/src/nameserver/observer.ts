// What answering tells whoever wants to know why: the names that it looks up, and what it writes. On the wire nobody does.
import type { Found } from './look-up.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { Zone } from './zone.ts'

export type Section = 'answer' | 'authority' | 'additional'

/** How looking up a name ended. */
export type Outcome =
  /** The name has what was asked for. */
  | 'answer'
  /** The name has an alias, which is followed. */
  | 'alias'
  /** The name exists, without the type that was asked for. */
  | 'no_data'
  /** The name has addresses that are not known at present. */
  | 'failing'
  | 'no_name'
  /** The name is at or below a cut: the answer refers to others. */
  | 'referral'

/** All arguments are used again for the next answer: what is to be kept must be copied. */
export interface AnswerObserver {
  /** Called before what the outcome leads to is written. */
  looked(outcome: Outcome, zone: Zone, name: WireName, found: Found): void
  /** The name is in no zone of ours. */
  outside(name: WireName): void
  wrote(section: Section, rrset: Rrset): void
  /** All that was written has been taken back. */
  cleared(): void
}
