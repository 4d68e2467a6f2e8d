// E-mail alerts of zones, and how events are sent by them.
import { DomainError } from '@zonereeve/platform'
import { type Channel, type Mailer, writeAlert } from '@zonereeve/alerts'
import {
  createSubscriptions,
  ofZones,
  pendingOfZone,
  subscriptionsOfZone,
  type SubscriptionsDeps,
  type SubscriptionType,
} from '../event-deliveries/index.ts'
import type { NumberedEvent } from '../page-shield/index.ts'
import { requireZone } from '../../zones/index.ts'
import { type EmailAlert, type EmailAlertFields, MAX_EMAIL_ALERTS } from './page-shield-email-alerts.rules.ts'
import {
  deleteEmailAlert,
  deleteEmailAlerts,
  dueEmailAlerts,
  emailAlertsOf,
  findEmailAlert,
  insertEmailAlert,
  saveEmailAlert,
} from './page-shield-email-alerts.store.ts'

export interface EmailDeps {
  /** Undefined if no SMTP server is configured. */
  readonly sendMail: Mailer | undefined
  /** Where people reach the dashboard. */
  readonly publicUrl: string | undefined
}

const TYPE: SubscriptionType<EmailAlert, EmailAlertFields> = {
  ...ofZones,
  kind: 'page_shield.email_alert',
  limit: MAX_EMAIL_ALERTS,
  reasons: { unknown: 'page_shield_email.unknown', quota: 'page_shield_email.quota' },
  of: emailAlertsOf,
  find: findEmailAlert,
  insert: insertEmailAlert,
  save: saveEmailAlert,
  remove: deleteEmailAlert,
  check: () => undefined, // the schema has checked all members
  toLogJson: ({ id, recipients, kinds, isEnabled, digestMinutes, createdOn }) =>
    JSON.stringify({ id, recipients, kinds, isEnabled, digestMinutes, createdOn }),
}

export type EmailAlerts = ReturnType<typeof createEmailAlerts>

export function createEmailAlerts({ sendMail, ...deps }: SubscriptionsDeps & Pick<EmailDeps, 'sendMail'>) {
  return createSubscriptions(
    deps,
    {
      ...TYPE,
      // Alerts of a server that has lost its SMTP server can be changed, but they fail.
      insert(tx, alert) {
        if (sendMail === undefined) throw new DomainError({ reason: 'page_shield_email.not_configured' })
        return insertEmailAlert(tx, alert)
      },
    },
    (fields, common, zoneId) => ({ ...common, zoneId, ...fields }),
  )
}

export const zoneEmailAlerts = subscriptionsOfZone('email alerts', TYPE, deleteEmailAlerts)

/** The most urgent ones are listed, the others are counted. */
const EVENTS_PER_EMAIL = 5000

export const emailChannel = ({
  storage,
  clock,
  sendMail,
  publicUrl,
}: EmailDeps & Pick<SubscriptionsDeps, 'storage' | 'clock'>): Channel<EmailAlert, NumberedEvent> => ({
  name: 'email alert',
  scopeOf: ({ zoneId }) => zoneId,
  due: dueEmailAlerts,
  find: findEmailAlert,
  pending: (db, alert) => pendingOfZone(db, alert, EVENTS_PER_EMAIL),
  save: saveEmailAlert,
  isSame: (one, other) => one.recipients.join() === other.recipients.join(),
  pauseMillis: ({ digestMinutes }) => digestMinutes * 60_000,
  async send({ id, zoneId, recipients }, events, signal) {
    if (sendMail === undefined) return { isAccepted: false, problem: 'the server has no --smtp-url' }
    const { name } = await requireZone(storage, zoneId)
    const dashboardUrl = publicUrl === undefined ? undefined : `${publicUrl}/zones/${name}/scripts`
    const first = events[0]?.number
    const part = first === undefined ? `test-${clock.now()}` : `${first}-${events.at(-1)?.number}`
    const messageId = `${id}.${part}@zonereeve`
    return sendMail({ messageId, recipients, ...writeAlert({ name, dashboardUrl }, events) }, signal)
  },
})
