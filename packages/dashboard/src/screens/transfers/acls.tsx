// Addresses that may transfer the account's zones without a TSIG key.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { aclsOf, createAcl, deleteAcl } from '../../api/transfers.ts'
import { TextField } from '../../parts/text-field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { transferStrings as text } from '../../strings/transfers.ts'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Section } from '../../parts/section.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { useTransferObjectAction } from './transfer-object-action.ts'

interface AclsProps {
  readonly accountId: string
}

export function Acls({ accountId }: AclsProps) {
  const acls = useQuery(aclsOf(accountId))
  const removal = useTransferObjectAction(accountId)
  return (
    <Section title={text.acls} note={text.aclsNote}>
      <div className="stack">
        <Problem error={acls.error} />
        {acls.data?.length === 0 && <p className="soft">{text.aclsNone}</p>}
        {acls.data !== undefined && acls.data.length > 0 && (
          <table className="plain">
            <thead>
              <tr>
                <th>{text.columns.name}</th>
                <th className="w264">{text.columns.range}</th>
                <th className="w136 num">
                  <span className="vh">{text.columns.more}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {acls.data.map((acl) => (
                <tr key={acl.id}>
                  <td>
                    <b>{acl.name}</b>
                  </td>
                  <td className="mono">{acl.ip_range}</td>
                  <td className="num">
                    <DeleteButton
                      text={text.remove}
                      label={text.deletePeer(acl.name)}
                      isBusy={removal.isPending}
                      onDelete={() =>
                        removal.mutate({
                          run: () => deleteAcl(accountId, acl.id),
                          done: text.deleted(acl.name),
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
        <FormButton label={text.addAcl} form={(close) => <AclForm accountId={accountId} onClose={close} />} />
      </div>
    </Section>
  )
}

function AclForm({ accountId, onClose }: AclsProps & { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [range, setRange] = useState('')
  const action = useTransferObjectAction(accountId)
  return (
    <SmallForm
      onClose={onClose}
      onSubmit={() =>
        action.mutate(
          {
            run: () => createAcl(accountId, { name: name.trim(), ip_range: range.trim() }),
            done: text.aclAdded(name),
          },
          { onSuccess: onClose },
        )
      }
    >
      <div className="g3">
        <TextField label={text.name} isProse required autoFocus value={name} onChange={setName} />
        <TextField label={text.range} hint={text.rangeHint} required value={range} onChange={setRange} />
      </div>
      <Problem error={action.error} />
      <FormFoot
        label={text.add}
        isBusy={action.isPending || name.trim() === '' || range.trim() === ''}
        onClose={onClose}
      />
    </SmallForm>
  )
}
