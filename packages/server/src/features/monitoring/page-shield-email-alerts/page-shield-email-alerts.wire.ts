// Maps e-mail alerts between wire format and domain model.
import {
  DEFAULT_DIGEST_MINUTES,
  type EmailAlertPatch,
  type EmailAlertPost,
  type WireEmailAlert,
} from '@zonereeve/contract'
import { toWireKinds, toWireStatus } from '../event-deliveries/index.ts'
import type { EmailAlert, EmailAlertFields } from './page-shield-email-alerts.rules.ts'

export const toEmailAlertFields = ({
  recipients,
  kinds,
  enabled = true,
  digest_minutes: digestMinutes = DEFAULT_DIGEST_MINUTES,
}: EmailAlertPost): EmailAlertFields => ({
  recipients,
  kinds: kinds ?? null, // all
  isEnabled: enabled,
  digestMinutes,
})

export const toEmailAlertPatch = ({
  recipients,
  kinds,
  enabled,
  digest_minutes: digestMinutes,
}: EmailAlertPatch): Partial<EmailAlertFields> => ({
  ...(recipients === undefined ? {} : { recipients }),
  ...(kinds === undefined ? {} : { kinds }),
  ...(enabled === undefined ? {} : { isEnabled: enabled }),
  ...(digestMinutes === undefined ? {} : { digestMinutes }),
})

export const toWireEmailAlert = (alert: EmailAlert): WireEmailAlert => ({
  id: alert.id,
  recipients: [...alert.recipients],
  kinds: toWireKinds(alert.kinds),
  enabled: alert.isEnabled,
  digest_minutes: alert.digestMinutes,
  created_on: alert.createdOn,
  status: toWireStatus(alert),
})
