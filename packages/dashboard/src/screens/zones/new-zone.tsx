// Adding a zone, and then the name servers to copy.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountList, createZone, zoneKeys, type WireZone } from '../../api/zones.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Section } from '../../parts/section.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'

export function NewZone({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const creation = useMutation({
    mutationFn: createZone,
    onSuccess: () => queries.invalidateQueries({ queryKey: zoneKeys.all }),
  })
  return (
    <Section title={strings.newZone.title} note={strings.newZone.intro} kind="hi" onEscape={onClose}>
      {creation.data === undefined ? (
        <ZoneForm
          create={(name, type, accountId) =>
            creation.mutate({
              name,
              type,
              ...(accountId === undefined ? {} : { account: { id: accountId } }),
            })
          }
          error={creation.error}
          isBusy={creation.isPending}
          onClose={onClose}
        />
      ) : (
        <Created zone={creation.data} onAnother={creation.reset} onClose={onClose} />
      )}
    </Section>
  )
}

interface ZoneFormProps {
  readonly create: (name: string, type: 'full' | 'secondary', accountId: string | undefined) => void
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onClose: () => void
}

function ZoneForm({ create, error, isBusy, onClose }: ZoneFormProps) {
  const [name, setName] = useState('')
  const [type, setType] = useState<'full' | 'secondary'>('full')
  const { data: accounts } = useQuery(accountList)
  const [accountId, setAccountId] = useState<string>()
  const chosen = accountId ?? accounts?.[0]?.id
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        create(name.trim(), type, chosen)
      }}
    >
      <div className="g2">
        <TextField
          label={strings.newZone.name}
          hint={strings.newZone.hint}
          error={error === null ? undefined : sentenceOf(error)}
          value={name}
          onChange={setName}
          autoFocus
          required
        />
        <Field label={strings.newZone.kind}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={type}
              onChange={({ target }) => setType(target.value === 'full' ? 'full' : 'secondary')}
            >
              <option value="full">{strings.newZone.kinds.full}</option>
              <option value="secondary">{strings.newZone.kinds.secondary}</option>
            </select>
          )}
        </Field>
        {accounts !== undefined && accounts.length > 1 && (
          <Field label={strings.newZone.account}>
            {(ids) => (
              <select
                {...ids}
                className="sel"
                value={chosen}
                onChange={({ target }) => setAccountId(target.value)}
              >
                {accounts.map((account) => (
                  <option key={account.id} value={account.id}>
                    {account.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      <FormFoot label={strings.newZone.submit} isBusy={isBusy || name.trim() === ''} onClose={onClose} />
    </form>
  )
}

interface CreatedProps {
  readonly zone: WireZone
  readonly onAnother: () => void
  readonly onClose: () => void
}

function Created({ zone, onAnother, onClose }: CreatedProps) {
  return (
    <div className="stack">
      <p role="status">
        <b>{strings.newZone.created(zone.name)}</b> {strings.newZone.delegate}
      </p>
      <div className="row nowrap">
        <pre tabIndex={0} className="code wrap">
          {zone.name_servers.join('\n')}
        </pre>
        <CopyButton text={zone.name_servers.join('\n')} />
      </div>
      <div className="row">
        <Link className="btn primary" to="/zones/$zone/records" params={{ zone: zone.name }}>
          {strings.newZone.open}
        </Link>
        <button type="button" className="btn" onClick={onAnother}>
          {strings.newZone.another}
        </button>
        <button type="button" className="btn" onClick={onClose}>
          {strings.toast.close}
        </button>
      </div>
    </div>
  )
}
