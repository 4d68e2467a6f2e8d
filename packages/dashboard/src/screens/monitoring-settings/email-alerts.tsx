// E-mail alerts: recipients of events of monitoring, and whether the SMTP server takes the e-mails.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createEmailAlert,
  deleteEmailAlert,
  emailAlertsOf,
  switchEmailAlert,
  testEmailAlert,
  type WireEmailAlert,
} from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { ALERTS, Deliveries, DeliveryState, KindsField, kindsText } from './deliveries.tsx'
import { isWholeNumber, NumberField } from './number-field.tsx'

const DEFAULT_MINUTES = '15'

export function EmailAlerts({ zone }: { readonly zone: WireZone }) {
  const { data: alerts, error } = useQuery(emailAlertsOf(zone.id))
  const action = useZoneAction(zone.id)
  const { recipients, events, every, state, actions } = text.emailColumns
  return (
    <Deliveries
      texts={{
        headline: text.emails,
        note: text.emailsNote,
        none: text.emailsNone,
        add: text.addEmail,
        actions,
      }}
      columns={[[recipients], [events, 'w88 opt2'], [every, 'w120 num opt2'], [state, 'w152']]}
      actionsWidth="w232"
      rows={alerts?.map((alert) => (
        <AlertRow key={alert.id} zone={zone} alert={alert} action={action} />
      ))}
      listError={error}
      actionError={action.error}
      form={(close) => <AlertForm zone={zone} onClose={close} />}
    />
  )
}

interface AlertRowProps {
  readonly zone: WireZone
  readonly alert: WireEmailAlert
  readonly action: ReturnType<typeof useZoneAction>
}

function AlertRow({ zone, alert, action }: AlertRowProps) {
  const { id, recipients, enabled, kinds, digest_minutes: digest, status } = alert
  const names = recipients.join(', ')
  const verb = enabled ? text.turnOff : text.turnOn
  const test = async (): Promise<void> => {
    const { problem } = await testEmailAlert(zone.id, id)
    if (problem !== null) throw new Error(text.testProblem(problem))
  }
  return (
    <tr>
      <td className="mono" title={names}>
        {names}
      </td>
      <td className="opt2 soft">{kindsText(kinds)}</td>
      <td className="opt2 soft num">{text.minutes(digest)}</td>
      <td title={status.problem ?? undefined}>
        <DeliveryState enabled={enabled} problem={status.problem} delivered={text.sent} />
      </td>
      <td className="num">
        <RowButton
          text={text.test}
          label={text.of(text.test, names)}
          isBusy={action.isPending}
          onPress={() => action.mutate({ run: test, done: text.tested })}
        />{' '}
        <RowButton
          text={verb}
          label={text.of(verb, names)}
          isBusy={action.isPending}
          onPress={() =>
            action.mutate({
              run: () => switchEmailAlert(zone.id, id, !enabled),
              done: enabled ? text.emailOff : text.emailOn,
            })
          }
        />{' '}
        <DeleteButton
          text={text.remove}
          label={text.of(text.remove, names)}
          isBusy={action.isPending}
          onDelete={() =>
            action.mutate({ run: () => deleteEmailAlert(zone.id, id), done: text.emailRemoved })
          }
        />
      </td>
    </tr>
  )
}

function AlertForm({ zone, onClose }: { readonly zone: WireZone; readonly onClose: () => void }) {
  const [recipients, setRecipients] = useState('')
  const [isAll, setAll] = useState(false)
  const [minutes, setMinutes] = useState(DEFAULT_MINUTES)
  const action = useZoneAction(zone.id)
  const isNumber = isWholeNumber(minutes)
  const submit = (): void => {
    const body = {
      recipients: recipients.split(/[\s,;]+/).filter((address) => address !== ''),
      digest_minutes: Number(minutes),
      ...(!isAll && { kinds: [...ALERTS] }),
    }
    action.mutate(
      { run: () => createEmailAlert(zone.id, body), done: text.emailAdded },
      { onSuccess: onClose },
    )
  }
  return (
    <SmallForm onClose={onClose} onSubmit={submit}>
      <TextField
        label={text.recipients}
        hint={text.recipientsHint}
        inputMode="email"
        required
        autoFocus
        value={recipients}
        onChange={setRecipients}
      />
      <div className="g2">
        <KindsField isAll={isAll} onChange={setAll} />
        <NumberField label={text.digest} hint={text.digestHint} value={minutes} onChange={setMinutes} />
      </div>
      <Problem error={action.error} />
      <FormFoot label={text.add} isBusy={action.isPending || !isNumber} onClose={onClose} />
    </SmallForm>
  )
}
