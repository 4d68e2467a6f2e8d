// The account's TSIG keys: who holds one is the peer that it belongs to.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createTsig, deleteTsig, tsigsOf } from '../../api/transfers.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { transferStrings as text } from '../../strings/transfers.ts'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Section } from '../../parts/section.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { useTransferObjectAction } from './transfer-object-action.ts'

const ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512', 'hmac-sha1'] as const
const SECRET_BYTES = 32

interface TsigKeysProps {
  readonly accountId: string
}

export function TsigKeys({ accountId }: TsigKeysProps) {
  const keys = useQuery(tsigsOf(accountId))
  const removal = useTransferObjectAction(accountId)
  return (
    <Section title={text.tsigs} note={text.tsigsNote}>
      <div className="stack">
        <Problem error={keys.error} />
        {keys.data?.length === 0 && <p className="soft">{text.tsigsNone}</p>}
        {keys.data !== undefined && keys.data.length > 0 && (
          <table className="plain stacked">
            <thead>
              <tr>
                <th>{text.columns.name}</th>
                <th className="w176">{text.columns.algorithm}</th>
                <th className="w232 num">
                  <span className="vh">{text.columns.more}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.data.map((key) => (
                <tr key={key.id}>
                  <td className="mono">
                    <b>{key.name}</b>
                  </td>
                  <td className="mono">{key.algo.replace(/\.$/, '')}</td>
                  <td className="num">
                    <CopyButton text={key.secret} label={text.copySecret} of={key.name} look="link" />{' '}
                    <DeleteButton
                      text={text.remove}
                      label={text.deletePeer(key.name)}
                      isBusy={removal.isPending}
                      onDelete={() =>
                        removal.mutate({
                          run: () => deleteTsig(accountId, key.id),
                          done: text.deleted(key.name),
                        })
                      }
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <Problem error={removal.error} />
        <FormButton
          label={text.addTsig}
          form={(close) => <TsigForm accountId={accountId} onClose={close} />}
        />
      </div>
    </Section>
  )
}

/** A secret that nobody chose. */
function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return btoa(String.fromCharCode(...bytes))
}

function TsigForm({ accountId, onClose }: TsigKeysProps & { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [algo, setAlgo] = useState<string>(ALGORITHMS[0])
  const [secret, setSecret] = useState(randomSecret)
  const action = useTransferObjectAction(accountId)
  return (
    <SmallForm
      onClose={onClose}
      onSubmit={() =>
        action.mutate(
          {
            run: () => createTsig(accountId, { name: name.trim(), algo: `${algo}.`, secret: secret.trim() }),
            done: text.tsigAdded(name),
          },
          { onSuccess: onClose },
        )
      }
    >
      <div className="g3">
        <TextField label={text.tsigName} required autoFocus value={name} onChange={setName} />
        <Field label={text.algorithm}>
          {(ids) => (
            <select {...ids} className="sel" value={algo} onChange={({ target }) => setAlgo(target.value)}>
              {ALGORITHMS.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          )}
        </Field>
        <TextField label={text.secret} hint={text.secretHint} required value={secret} onChange={setSecret} />
      </div>
      <Problem error={action.error} />
      <FormFoot label={text.add} isBusy={action.isPending || name.trim() === ''} onClose={onClose} />
    </SmallForm>
  )
}
