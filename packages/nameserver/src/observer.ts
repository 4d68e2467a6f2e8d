// Reports how an answer came about: the names that are looked up, and what is written. Not used on the wire.
import type { LookupResult } from './look-up.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneView } from './zone-view.ts'

export type Section = 'answer' | 'authority' | 'additional'

/** The outcome of a look-up. */
export type Outcome =
  /** The name has the requested data. */
  | 'answer'
  /** The name has an alias, which is followed. */
  | 'alias'
  /** The name exists, but does not have the requested type. */
  | 'no_data'
  /** The addresses of the name are currently unknown. */
  | 'failing'
  | 'no_name'
  /** A DNAME above the name redirects it; the new name is followed. */
  | 'redirected'
  /** The name is at or below a cut: the answer is a referral. */
  | 'referral'

/** All arguments are reused for the next answer: copy what you keep. */
export interface AnswerObserver {
  /** Called before anything is written for the outcome. */
  looked(outcome: Outcome, zone: ZoneView, name: WireName, found: LookupResult): void
  /** The name is in no served zone. */
  outside(name: WireName): void
  wrote(section: Section, rrset: Rrset): void
  /** Everything written so far was discarded. */
  cleared(): void
}
