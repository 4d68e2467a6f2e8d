// Webhooks: where events of monitoring are posted to, and whether they arrive.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createWebhook,
  deleteWebhook,
  switchWebhook,
  webhooksOf,
  type WireWebhook,
} from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { WebhookUrlField } from '../../parts/webhook-url-field.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { ALERTS, Deliveries, DeliveryState, KindsField, kindsText } from './deliveries.tsx'

export function Webhooks({ zone }: { readonly zone: WireZone }) {
  const { data: webhooks, error } = useQuery(webhooksOf(zone.id))
  const action = useZoneAction(zone.id)
  const { url, events, state, actions } = text.webhookColumns
  return (
    <Deliveries
      texts={{
        headline: text.webhooks,
        note: text.webhooksNote,
        none: text.webhooksNone,
        add: text.addWebhook,
        actions,
      }}
      columns={[[url], [events, 'w88 opt2'], [state, 'w152']]}
      actionsWidth="w152"
      rows={webhooks?.map((webhook) => (
        <WebhookRow key={webhook.id} zone={zone} webhook={webhook} action={action} />
      ))}
      listError={error}
      actionError={action.error}
      form={(close) => <WebhookForm zone={zone} onClose={close} />}
    />
  )
}

interface WebhookRowProps {
  readonly zone: WireZone
  readonly webhook: WireWebhook
  readonly action: ReturnType<typeof useZoneAction>
}

function WebhookRow({ zone, webhook, action }: WebhookRowProps) {
  const { id, url, enabled, kinds, status } = webhook
  const verb = enabled ? text.turnOff : text.turnOn
  return (
    <tr>
      <td className="mono" title={url}>
        {url}
      </td>
      <td className="opt2 soft">{kindsText(kinds)}</td>
      <td title={status.problem ?? undefined}>
        <DeliveryState enabled={enabled} problem={status.problem} delivered={text.delivered} />
      </td>
      <td className="num">
        <RowButton
          text={verb}
          label={text.of(verb, url)}
          isBusy={action.isPending}
          onPress={() =>
            action.mutate({
              run: () => switchWebhook(zone.id, id, !enabled),
              done: enabled ? text.webhookOff : text.webhookOn,
            })
          }
        />{' '}
        <DeleteButton
          text={text.remove}
          label={text.of(text.remove, url)}
          isBusy={action.isPending}
          onDelete={() => action.mutate({ run: () => deleteWebhook(zone.id, id), done: text.webhookRemoved })}
        />
      </td>
    </tr>
  )
}

function WebhookForm({ zone, onClose }: { readonly zone: WireZone; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [url, setUrl] = useState('')
  const [isAll, setAll] = useState(true)
  const creation = useMutation({
    mutationFn: () => createWebhook(zone.id, isAll ? { url } : { url, kinds: [...ALERTS] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksOf(zone.id).queryKey }),
  })
  const secret = creation.data?.secret
  if (secret !== undefined)
    return (
      <ShownOnce
        value={secret}
        headline={text.secretTitle}
        detail={text.secretDetail}
        doneLabel={text.done}
        onDone={onClose}
      />
    )
  return (
    <SmallForm onClose={onClose} onSubmit={() => creation.mutate()}>
      <div className="g2 g2p">
        <WebhookUrlField value={url} onChange={setUrl} />
        <KindsField isAll={isAll} onChange={setAll} />
      </div>
      <Problem error={creation.error} />
      <FormFoot label={text.add} isBusy={creation.isPending} onClose={onClose} />
    </SmallForm>
  )
}
