// E-mail alerts: recipients of events of monitoring, and whether the SMTP server takes the e-mails.
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import {
  createEmailAlert,
  deleteEmailAlert,
  emailAlertsOf,
  switchEmailAlert,
  testEmailAlert,
  type WireEmailAlert,
} from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { ALERTS, DeliveryState, KindsField, kindsText } from './deliveries.tsx'

const DEFAULT_MINUTES = '15'

export function EmailAlerts({ zone }: { readonly zone: WireZone }) {
  const { data: alerts, error } = useQuery(emailAlertsOf(zone.id))
  const action = useZoneAction(zone.id)
  return (
    <section className="sec">
      <div>
        <h2>{text.emails}</h2>
        <p>{text.emailsNote}</p>
      </div>
      <div className="stack">
        <Problem error={error} />
        {alerts?.length === 0 && <p className="soft">{text.emailsNone}</p>}
        {alerts !== undefined && alerts.length > 0 && (
          <table className="plain stacked">
            <thead>
              <tr>
                <th>{text.emailColumns.recipients}</th>
                <th className="w88 opt2">{text.emailColumns.events}</th>
                <th className="w120 num opt2">{text.emailColumns.every}</th>
                <th className="w200">{text.emailColumns.state}</th>
                <th className="w232 num">
                  <span className="vh">{text.emailColumns.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {alerts.map((alert) => (
                <AlertRow key={alert.id} zone={zone} alert={alert} action={action} />
              ))}
            </tbody>
          </table>
        )}
        <Problem error={action.error} />
        <FormButton label={text.addEmail} form={(close) => <AlertForm zone={zone} onClose={close} />} />
      </div>
    </section>
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
        <RowButton
          text={text.remove}
          label={text.of(text.remove, names)}
          isBusy={action.isPending}
          onPress={() => action.mutate({ run: () => deleteEmailAlert(zone.id, id), done: text.emailRemoved })}
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
  const isNumber = /^\d+$/.test(minutes.trim())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
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
    <form
      className="stack hi-form"
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <Field label={text.recipients} hint={text.recipientsHint}>
        {(ids) => (
          <input
            {...ids}
            className="in"
            inputMode="email"
            required
            autoFocus
            spellCheck={false}
            value={recipients}
            onChange={({ target }) => setRecipients(target.value)}
          />
        )}
      </Field>
      <div className="g2">
        <KindsField isAll={isAll} onChange={setAll} />
        <Field label={text.digest} hint={text.digestHint} error={isNumber ? undefined : text.notNumber}>
          {(ids) => (
            <input
              {...ids}
              className="in short"
              inputMode="numeric"
              value={minutes}
              onChange={({ target }) => setMinutes(target.value)}
            />
          )}
        </Field>
      </div>
      <Problem error={action.error} />
      <div className="row">
        <button type="submit" className="btn primary" disabled={action.isPending || !isNumber}>
          {text.add}
        </button>
        <button type="button" className="btn" onClick={onClose}>
          {text.cancel} <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  )
}
