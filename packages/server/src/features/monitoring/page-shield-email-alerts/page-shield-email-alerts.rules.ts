// What an e-mail alert is.
import type { ZoneSubscription } from '../event-deliveries/index.ts'

export const MAX_EMAIL_ALERTS = 10

export interface EmailAlertFields extends Pick<ZoneSubscription, 'kinds' | 'isEnabled'> {
  readonly recipients: readonly string[]
  /** At most one e-mail in this time. */
  readonly digestMinutes: number
}

export interface EmailAlert extends ZoneSubscription, EmailAlertFields {}
