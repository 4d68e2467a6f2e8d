// Addresses that may transfer the account's zones without a TSIG key.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { aclsOf, createAcl, deleteAcl } from '../../api/transfers.ts'
import { Field } from '../../parts/field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RowButton } from '../../parts/row-button.tsx'
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
                <th className="w88 num">
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
                    <RowButton
                      text={text.remove}
                      label={text.deletePeer(acl.name)}
                      isBusy={removal.isPending}
                      onPress={() =>
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
        <Field label={text.name}>
          {(ids) => (
            <input
              {...ids}
              className="in sans"
              required
              autoFocus
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label={text.range} hint={text.rangeHint}>
          {(ids) => (
            <input
              {...ids}
              className="in"
              required
              spellCheck={false}
              value={range}
              onChange={({ target }) => setRange(target.value)}
            />
          )}
        </Field>
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
