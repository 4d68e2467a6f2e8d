// An event of the activity log, and one whose request has passed.
import type { EventRule, LoggedFields } from '@zonereeve/firewall'

/** An event for the activity log of a zone. */
export interface ActivityEvent extends EventRule {
  readonly rayId: string
  readonly at: string
  readonly method: string
  readonly host: string
  readonly target: string
  readonly ip: string
  /** null if the request did not reach it, or the adapter did not see the response in time. */
  readonly originStatus: number | null
  /** What rules add to the event; null if none does. */
  readonly loggedFields: LoggedFields | null
}

/** An event whose request has passed. */
export interface WaitingEvent {
  readonly zoneId: string
  /** Of the body that is kept with it. */
  readonly octets: number
  /** Called once. */
  readonly eventNow: () => ActivityEvent
}
