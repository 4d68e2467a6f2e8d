// Rows of e-mail alerts.
import { type Reader, tables, type Transaction } from '@zonereeve/storage'
import { selectDue, selectOfZone, selectOne } from '../event-deliveries/index.ts'
import type { EmailAlert } from './page-shield-email-alerts.rules.ts'

const alerts = tables.page_shield_email_alerts.of<EmailAlert>()

export const emailAlertsOf = (db: Reader, zoneId: string): Promise<readonly EmailAlert[]> =>
  alerts.readable(db, selectOfZone('page_shield_email_alerts', zoneId))

export const findEmailAlert = (db: Reader, zoneId: string, id: string): Promise<EmailAlert | undefined> =>
  alerts.first(db, selectOne('page_shield_email_alerts', zoneId, id))

/** Those that are due and have pending events; longest waiting first. */
export const dueEmailAlerts = (db: Reader, now: string, limit: number): Promise<readonly EmailAlert[]> =>
  alerts.readable(db, selectDue('page_shield_email_alerts', now, limit))

export const insertEmailAlert = (tx: Transaction, alert: EmailAlert): Promise<void> =>
  alerts.insert(tx, alert)

export const saveEmailAlert = (tx: Transaction, alert: EmailAlert): Promise<void> => alerts.update(tx, alert)

export const deleteEmailAlert = (tx: Transaction, id: string): Promise<number> => alerts.remove(tx, { id })

export const deleteEmailAlerts = (tx: Transaction, zoneId: string): Promise<number> =>
  alerts.remove(tx, { zoneId })
