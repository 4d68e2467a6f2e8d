// Webhooks of an account: where its changes and security events are posted to, and whether they arrive.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { accountWebhooksOf } from '../../api/account-webhooks.ts'
import { AccountPage } from '../../parts/account-page.tsx'
import { useWriteAction } from '../../parts/zone-action.ts'
import { accountWebhookStrings as text } from '../../strings/account-webhooks.ts'
import { monitoringSettingStrings } from '../../strings/monitoring-settings.ts'
import { Deliveries } from '../monitoring-settings/deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

export function WebhooksScreen() {
  const search = useSearch({ from: '/frame/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  return (
    <AccountPage
      title={text.title}
      intro={text.intro}
      asked={search.account}
      onChoose={(id) => void navigate({ search: { account: id } })}
    >
      {({ id, name }) => <AccountWebhooks key={id} accountId={id} name={name} />}
    </AccountPage>
  )
}

function AccountWebhooks({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const { data: webhooks, error } = useQuery(accountWebhooksOf(accountId))
  const action = useWriteAction([accountWebhooksOf(accountId).queryKey])
  const { url, events, delivered, state, actions } = text.columns
  return (
    <Deliveries
      texts={{
        headline: name,
        note: text.note,
        none: `${text.none} ${text.noneDetail}`,
        add: monitoringSettingStrings.addWebhook,
        actions,
      }}
      columns={[[url], [events, 'w152 opt2'], [delivered, 'w88 opt2 num'], [state, 'w152']]}
      actionsWidth="w232"
      rows={webhooks?.map((webhook) => (
        <WebhookRow key={webhook.id} accountId={accountId} webhook={webhook} action={action} />
      ))}
      listError={error}
      actionError={action.error}
      form={(close) => <WebhookForm accountId={accountId} onClose={close} />}
    />
  )
}
