// A peer in edit: its address, port and TSIG key.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PeerDraft } from '@zonereeve/contract'
import { savePeer, tsigsOf, type WirePeer } from '../../api/transfers.ts'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { transferStrings as text } from '../../strings/transfers.ts'
import { FormFoot } from '../../parts/form-foot.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { useTransferObjectAction } from './transfer-object-action.ts'

interface PeerFormProps {
  readonly accountId: string
  /** Undefined for a new one. */
  readonly peer: WirePeer | undefined
  readonly onClose: () => void
}

/** What the fields hold. */
interface Draft {
  readonly name: string
  readonly ip: string
  readonly port: string
  /** Empty for none. */
  readonly keyId: string
  readonly isIxfr: boolean
}

const NEW: Draft = { name: '', ip: '', port: '53', keyId: '', isIxfr: false }

function draftOf({ name, ip, port, tsig_id, ixfr_enable }: WirePeer): Draft {
  return {
    name,
    ip: ip === undefined ? '' : ip,
    port: String(port),
    keyId: tsig_id === undefined ? '' : tsig_id,
    isIxfr: ixfr_enable,
  }
}

const written = ({ name, ip, port, keyId, isIxfr }: Draft): PeerDraft => ({
  name: name.trim(),
  ip: ip.trim() === '' ? null : ip.trim(),
  port: Number(port),
  ixfr_enable: isIxfr,
  tsig_id: keyId === '' ? null : keyId,
})

export function PeerForm({ accountId, peer, onClose }: PeerFormProps) {
  const [draft, setDraft] = useState(peer === undefined ? NEW : draftOf(peer))
  const change = (next: Partial<Draft>): void => setDraft({ ...draft, ...next })
  const action = useTransferObjectAction(accountId)
  const save = (): void =>
    action.mutate(
      {
        // The form has no fields for TLS.
        run: () => savePeer(accountId, peer?.id, { ...written(draft), tls: peer?.tls ?? null }),
        done: peer === undefined ? text.peerAdded(draft.name) : text.peerSaved(draft.name),
      },
      { onSuccess: onClose },
    )
  const typedInto = (member: 'name' | 'ip' | 'port') => ({
    value: draft[member],
    onChange: (typed: string) => change({ [member]: typed }),
  })
  return (
    <SmallForm onClose={onClose} onSubmit={save}>
      <div className="peer-fields">
        <TextField label={text.name} isProse required autoFocus {...typedInto('name')} />
        <TextField label={text.ip} hint={text.ipHint} {...typedInto('ip')} />
        <TextField label={text.port} required inputMode="numeric" pattern="[0-9]+" {...typedInto('port')} />
        <KeyChoice accountId={accountId} keyId={draft.keyId} onChange={(keyId) => change({ keyId })} />
      </div>
      <label className="opt">
        <input
          type="checkbox"
          className="ck"
          checked={draft.isIxfr}
          onChange={({ target }) => change({ isIxfr: target.checked })}
        />
        {text.ixfr}
      </label>
      <Problem error={action.error} />
      <FormFoot
        label={peer === undefined ? text.add : text.saveChange}
        isBusy={action.isPending || draft.name.trim() === ''}
        onClose={onClose}
      />
    </SmallForm>
  )
}

interface KeyChoiceProps {
  readonly accountId: string
  readonly keyId: string
  readonly onChange: (keyId: string) => void
}

function KeyChoice({ accountId, keyId, onChange }: KeyChoiceProps) {
  const { data: keys } = useQuery(tsigsOf(accountId))
  return (
    <Field label={text.key}>
      {(ids) => (
        <select {...ids} className="sel" value={keyId} onChange={({ target }) => onChange(target.value)}>
          <option value="">{text.noKey}</option>
          {keys?.map((key) => (
            <option key={key.id} value={key.id}>
              {key.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
