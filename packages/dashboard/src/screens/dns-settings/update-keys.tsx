// Keys that sign dynamic updates: listed, created with the secret shown once, deleted.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireUpdateKey } from '@zonereeve/contract'
import { useToast } from '../../app/toasts.tsx'
import {
  createUpdateKey,
  deleteUpdateKey,
  ownTokens,
  UPDATE_KEYS,
  updateKeyList,
} from '../../api/update-keys.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { Section } from '../../parts/section.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { Empty } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { dnsSettingStrings as text } from '../../strings/dns-settings.ts'

interface Created {
  readonly name: string
  readonly secret: string
}

export function UpdateKeys({ zone }: { readonly zone: string }) {
  const queries = useQueryClient()
  const toast = useToast()
  const keys = useQuery(updateKeyList)
  const tokens = useQuery(ownTokens)
  const [created, setCreated] = useState<Created>()
  const refresh = () => queries.invalidateQueries({ queryKey: UPDATE_KEYS })
  const removal = useMutation({
    mutationFn: ({ id }: { readonly id: string; readonly name: string }) => deleteUpdateKey(id),
    onSuccess: async (_, { name }) => {
      setCreated((last) => (last?.name === name ? undefined : last))
      toast({ text: text.keyDeleted(name) })
      await refresh()
    },
  })
  return (
    <Section title={text.keys} note={text.keysNote}>
      <div className="stack">
        <Problem error={keys.error} />
        {keys.data?.length === 0 && (
          <Empty
            headline={text.keysNone}
            detail={tokens.data?.length === 0 ? text.noToken : text.keysDetail}
            command={text.keysCommand(zone)}
          />
        )}
        {keys.data !== undefined && keys.data.length > 0 && (
          <KeyTable
            keys={keys.data}
            tokens={tokens.data}
            isBusy={removal.isPending}
            onRemove={(key) => removal.mutate(key)}
          />
        )}
        <Problem error={removal.error} />
        {created !== undefined && (
          <div role="status">
            <p>
              <b>{text.secret(created.name)}</b> <span className="soft">{text.secretNote}</span>
            </p>
            <p className="row">
              <code>{created.secret}</code> <CopyButton text={created.secret} />
            </p>
          </div>
        )}
        <FormButton
          label={text.addKey}
          isDisabled={tokens.data === undefined || tokens.data.length === 0}
          form={(close) => (
            <KeyForm
              tokens={tokens.data}
              onClose={close}
              onCreated={async (key) => {
                setCreated(key)
                close()
                toast({ text: text.keyAdded(key.name) })
                await refresh()
              }}
            />
          )}
        />
      </div>
    </Section>
  )
}

type Tokens = readonly { readonly id?: string; readonly name: string }[] | undefined

interface KeyTableProps {
  readonly keys: readonly WireUpdateKey[]
  readonly tokens: Tokens
  readonly isBusy: boolean
  readonly onRemove: (key: { readonly id: string; readonly name: string }) => void
}

function KeyTable({ keys, tokens, isBusy, onRemove }: KeyTableProps) {
  return (
    <table className="plain">
      <thead>
        <tr>
          <th>{text.keyColumns.name}</th>
          <th className="w136">{text.keyColumns.algorithm}</th>
          <th className="w232 o1">{text.keyColumns.token}</th>
          <th className="w88 num">{text.keyColumns.created}</th>
          <th className="w136 num">
            <span className="vh">{text.keyColumns.more}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ id, name, algorithm, token_id, created_on }) => (
          <tr key={id}>
            <td className="mono">
              <b>{name}</b>
            </td>
            <td>{algorithm}</td>
            <td className="o1">{tokens?.find((token) => token.id === token_id)?.name ?? token_id}</td>
            <td className="num soft">
              <Age at={created_on} />
            </td>
            <td className="num">
              <DeleteButton
                text={text.remove}
                label={text.removeOf(name)}
                isBusy={isBusy}
                onDelete={() => onRemove({ id, name })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface KeyFormProps {
  readonly tokens: Tokens
  readonly onClose: () => void
  readonly onCreated: (created: Created) => Promise<void>
}

function KeyForm({ tokens, onClose, onCreated }: KeyFormProps) {
  const [name, setName] = useState('')
  const [tokenId, setTokenId] = useState<string>()
  // A key has the permissions of its token: with several, none is chosen by itself.
  const known = tokens?.find(({ id }) => id === tokenId)?.id
  const chosen = known ?? (tokens?.length === 1 ? tokens[0]?.id : undefined)
  const creation = useMutation({
    mutationFn: createUpdateKey,
    onSuccess: async ({ result }) => {
      // Only the reply to creation has the secret.
      if (result.secret !== undefined) await onCreated({ name: result.name, secret: result.secret })
    },
  })
  return (
    <SmallForm
      onClose={onClose}
      onSubmit={() => {
        if (chosen !== undefined) creation.mutate({ name: name.trim(), token_id: chosen })
      }}
    >
      <div className="g2">
        <TextField label={text.keyName} required autoFocus value={name} onChange={setName} />
        <Field label={text.keyToken}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              required
              value={chosen ?? ''} // none is chosen
              onChange={({ target }) => setTokenId(target.value)}
            >
              {chosen === undefined && <option value="">{text.keyTokenNone}</option>}
              {tokens?.map((token) => (
                <option key={token.id} value={token.id}>
                  {token.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Problem error={creation.error} />
      <FormFoot
        label={text.keyAdd}
        isBusy={creation.isPending || name.trim() === '' || chosen === undefined}
        onClose={onClose}
      />
    </SmallForm>
  )
}
