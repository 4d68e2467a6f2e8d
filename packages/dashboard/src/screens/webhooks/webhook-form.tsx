// The form of a webhook of an account, new or not. What it is about is decided when it is created.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  accountWebhooksOf,
  changeAccountWebhook,
  createAccountWebhook,
  type AccountWebhookPost,
  type WireAccountWebhook,
} from '../../api/account-webhooks.ts'
import { useToast } from '../../app/toasts.tsx'
import { Field } from '../../parts/field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { WebhookUrlField } from '../../parts/webhook-url-field.tsx'
import { accountWebhookStrings as text } from '../../strings/account-webhooks.ts'
import { monitoringSettingStrings as shared } from '../../strings/monitoring-settings.ts'

type Kind = NonNullable<AccountWebhookPost['kinds']>[number]

/** In the order of the names, which are all there are. */
const KINDS = Object.keys(text.kindNames) as Kind[]

const SECRET = { headline: shared.secretTitle, detail: shared.secretDetail, doneLabel: shared.done }

interface WebhookFormProps {
  readonly accountId: string
  /** Absent for a new one. */
  readonly webhook?: WireAccountWebhook
  readonly onClose: () => void
}

export function WebhookForm({ accountId, webhook, onClose }: WebhookFormProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const [url, setUrl] = useState(webhook?.url ?? '') // a new one has none
  const [source, setSource] = useState(webhook?.source ?? 'changes')
  const [kinds, setKinds] = useState<readonly Kind[]>(webhook?.kinds ?? KINDS)
  const isOfChanges = source === 'changes'
  const wanted = isOfChanges ? { kinds: KINDS.filter((kind) => kinds.includes(kind)) } : {}
  const saving = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      if (webhook === undefined)
        return (await createAccountWebhook(accountId, { source, url, ...wanted })).secret
      await changeAccountWebhook(accountId, webhook.id, { url, ...wanted })
      toast({ text: text.saved })
      onClose()
      return undefined
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: accountWebhooksOf(accountId).queryKey }),
  })
  if (saving.data !== undefined) return <ShownOnce value={saving.data} {...SECRET} onDone={onClose} />
  return (
    <SmallForm onClose={() => !saving.isPending && onClose()} onSubmit={() => saving.mutate()}>
      <div className="g2 g2p">
        <WebhookUrlField value={url} onChange={setUrl} />
        <Field label={text.source} hint={text.sourceHints[source]}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={source}
              disabled={webhook !== undefined}
              onChange={({ target }) =>
                setSource(target.value === 'security_events' ? 'security_events' : 'changes')
              }
            >
              <option value="changes">{text.sources.changes}</option>
              <option value="security_events">{text.sources.security_events}</option>
            </select>
          )}
        </Field>
      </div>
      {isOfChanges && <KindChoice kinds={kinds} onChange={setKinds} />}
      <Problem error={saving.error} />
      <FormFoot
        label={webhook === undefined ? shared.add : text.save}
        isBusy={saving.isPending || (isOfChanges && kinds.length === 0)}
        // The secret of a new one is shown once, by this form.
        isHeld={saving.isPending}
        onClose={onClose}
      />
    </SmallForm>
  )
}

interface KindChoiceProps {
  readonly kinds: readonly Kind[]
  readonly onChange: (kinds: readonly Kind[]) => void
}

function KindChoice({ kinds, onChange }: KindChoiceProps) {
  return (
    <fieldset className="stack">
      <legend className="small soft">{text.kinds}</legend>
      <div className="row">
        {KINDS.map((kind) => (
          <label key={kind} className="opt">
            <input
              type="checkbox"
              className="ck"
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                onChange(target.checked ? [...kinds, kind] : kinds.filter((each) => each !== kind))
              }
            />
            <span>{text.kindNames[kind]}</span>
          </label>
        ))}
      </div>
      {kinds.length === 0 && <p className="bad small">{text.noKinds}</p>}
    </fieldset>
  )
}
