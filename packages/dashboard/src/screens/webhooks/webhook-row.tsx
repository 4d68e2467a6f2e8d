// One webhook of an account, or the form that changes it.
import { useEffect, useRef, useState, type Ref } from 'react'
import {
  changeAccountWebhook,
  deleteAccountWebhook,
  testAccountWebhook,
  type WireAccountWebhook,
} from '../../api/account-webhooks.ts'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Age, exactTime } from '../../parts/time.tsx'
import type { useWriteAction } from '../../parts/zone-action.ts'
import { accountWebhookStrings as text } from '../../strings/account-webhooks.ts'
import { monitoringSettingStrings as shared } from '../../strings/monitoring-settings.ts'
import { DeliveryState } from '../monitoring-settings/deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'

interface WebhookRowProps {
  readonly accountId: string
  readonly webhook: WireAccountWebhook
  readonly action: ReturnType<typeof useWriteAction>
}

const COLUMNS = 5

export function WebhookRow({ accountId, webhook, action }: WebhookRowProps) {
  const [isOpen, setOpen] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // The form had the focus, and is gone.
  useEffect(() => {
    if (wasOpen.current && !isOpen) edit.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const { id, url, source, kinds, enabled, status } = webhook
  if (isOpen)
    return (
      <tr>
        <td className="span" colSpan={COLUMNS}>
          <WebhookForm accountId={accountId} webhook={webhook} onClose={() => setOpen(false)} />
        </td>
      </tr>
    )
  const button = (verb: string, onPress: () => void, ref?: Ref<HTMLButtonElement>) => (
    <RowButton
      ref={ref}
      text={verb}
      label={shared.of(verb, url)}
      isBusy={action.isPending}
      onPress={onPress}
    />
  )
  const test = async (): Promise<void> => {
    const { problem } = await testAccountWebhook(accountId, id)
    if (problem !== null) throw new Error(shared.testProblem(problem))
  }
  return (
    <tr>
      <td className="mono" title={url}>
        {url}
      </td>
      <td className="opt2 soft" title={kinds?.join(', ')}>
        {kinds === null ? text.sources[source] : text.someChanges(kinds.map((kind) => text.kindNames[kind]))}
      </td>
      <td className="opt2 soft num">
        {status.delivered_at === null ? text.never : <Age at={status.delivered_at} />}
      </td>
      <td
        title={
          status.failures === 0
            ? undefined
            : text.failures(status.failures, exactTime(status.next_attempt_at))
        }
      >
        <DeliveryState enabled={enabled} problem={status.problem} delivered={shared.delivered} />
      </td>
      <td className="num">
        {button(text.edit, () => setOpen(true), edit)}{' '}
        {button(shared.test, () => action.mutate({ run: test, done: text.tested }))}{' '}
        {button(enabled ? shared.turnOff : shared.turnOn, () =>
          action.mutate({
            run: () => changeAccountWebhook(accountId, id, { enabled: !enabled }),
            done: enabled ? shared.webhookOff : shared.webhookOn,
          }),
        )}{' '}
        <DeleteButton
          text={shared.remove}
          label={shared.of(shared.remove, url)}
          isBusy={action.isPending}
          onDelete={() =>
            action.mutate({ run: () => deleteAccountWebhook(accountId, id), done: shared.webhookRemoved })
          }
        />
      </td>
    </tr>
  )
}
