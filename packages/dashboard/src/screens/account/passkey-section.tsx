// Passkeys of the user: add, rename, delete.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { addPasskey, deletePasskey, passkeyList, renamePasskey, type WirePasskey } from '../../api/account.ts'
import { ApiError } from '../../api/call.ts'
import { signInOffer } from '../../api/session.ts'
import { useToast } from '../../app/toasts.tsx'
import type { Confirmation } from '../../parts/confirmation.tsx'
import { Field } from '../../parts/field.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, sentenceOf } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { accountStrings } from '../../strings/account.ts'

const words = accountStrings.passkeys

export function PasskeySection({ confirmation }: { readonly confirmation: Confirmation }) {
  const { data: passkeys, error, refetch } = useQuery(passkeyList)
  const { data: offer } = useQuery(signInOffer)
  return (
    <Section title={words.title} note={words.note}>
      <div className="stack">
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {passkeys?.length === 0 && (
          <p>
            <b>{words.none}</b> <span className="soft">{words.noneDetail}</span>
          </p>
        )}
        {passkeys !== undefined && passkeys.length > 0 && (
          <PasskeyTable passkeys={passkeys} confirmation={confirmation} />
        )}
        {offer?.passkey === false && (
          <>
            <p className="soft">{words.unsupported(location.hostname)}</p>
            <pre tabIndex={0} className="code one">
              {words.command}
            </pre>
          </>
        )}
        {offer?.passkey === true && <NewPasskey confirmation={confirmation} />}
      </div>
    </Section>
  )
}

function NewPasskey({ confirmation: { confirmed } }: { readonly confirmation: Confirmation }) {
  const queries = useQueryClient()
  const toast = useToast()
  const adding = useMutation({
    mutationFn: (name: string) => confirmed(() => addPasskey(name)),
    onSuccess: async (_, name) => {
      await queries.invalidateQueries({ queryKey: passkeyList.queryKey })
      toast({ text: words.added(name) })
    },
  })
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    adding.mutate(name, { onSuccess: () => form.reset() })
  }
  return (
    <form className="stack form" onSubmit={send}>
      <Field
        className="half"
        label={words.name}
        hint={words.nameHint}
        error={adding.error === null ? undefined : passkeyProblem(adding.error)}
      >
        {(ids) => (
          <input {...ids} className="in sans" name="name" maxLength={100} autoComplete="off" required />
        )}
      </Field>
      <div className="row">
        <button type="submit" className="btn" disabled={adding.isPending}>
          {words.add}
        </button>
      </div>
    </form>
  )
}

/** The device says no more than that it did not do it. */
const passkeyProblem = (error: Error): string =>
  error instanceof ApiError ? sentenceOf(error) : words.stopped

interface PasskeyTableProps {
  readonly passkeys: readonly WirePasskey[]
  readonly confirmation: Confirmation
}

function PasskeyTable({ passkeys, confirmation }: PasskeyTableProps) {
  const { columns } = words
  return (
    <table className="plain">
      <thead>
        <tr>
          <th>{columns.name}</th>
          <th className="w200 opt2">{columns.site}</th>
          <th className="w88">{columns.created}</th>
          <th className="w104">{columns.used}</th>
          <th className="w176">
            <span className="vh">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} confirmation={confirmation} />
        ))}
      </tbody>
    </table>
  )
}

interface PasskeyRowProps {
  readonly passkey: WirePasskey
  readonly confirmation: Confirmation
}

function PasskeyRow({ passkey, confirmation: { confirmed } }: PasskeyRowProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const [isEdited, setEdited] = useState<boolean>()
  const refresh = () => queries.invalidateQueries({ queryKey: passkeyList.queryKey })
  const fail = (error: Error): void => toast({ text: sentenceOf(error), isError: true })
  const renaming = useMutation({
    mutationFn: (name: string) => renamePasskey(passkey.id, name),
    onSuccess: async () => {
      await refresh()
      setEdited(false)
    },
    onError: fail,
  })
  const removal = useMutation({
    mutationFn: () => confirmed(() => deletePasskey(passkey.id)),
    onSuccess: async () => {
      await refresh()
      toast({ text: words.removed(passkey.name) })
    },
    onError: fail,
  })
  if (isEdited === true)
    return (
      <NameForm passkey={passkey} onName={(name) => renaming.mutate(name)} onClose={() => setEdited(false)} />
    )
  return (
    <tr>
      <td>
        <b>{passkey.name}</b>
      </td>
      <td className="mono soft opt2">{passkey.site}</td>
      <td className="soft">
        <Age at={passkey.created_on} />
      </td>
      <td className="soft">
        {passkey.last_used_on === null ? words.never : <Age at={passkey.last_used_on} />}
      </td>
      <td className="num">
        <button
          type="button"
          className="btn bare"
          aria-label={words.renameOf(passkey.name)}
          // The focus returns from the field.
          autoFocus={isEdited === false}
          onClick={() => setEdited(true)}
        >
          {words.rename}
        </button>
        <button
          type="button"
          className="btn bare bad"
          aria-label={words.removeOf(passkey.name)}
          onClick={() => removal.mutate()}
        >
          {words.remove}
        </button>
      </td>
    </tr>
  )
}

interface NameFormProps {
  readonly passkey: WirePasskey
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

function NameForm({ passkey, onName, onClose }: NameFormProps) {
  return (
    <tr>
      <td colSpan={5}>
        <form
          className="row nowrap"
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
          onSubmit={(event) => {
            event.preventDefault()
            onName(String(new FormData(event.currentTarget).get('name')).trim())
          }}
        >
          <input
            className="in sans"
            name="name"
            aria-label={words.newName(passkey.name)}
            defaultValue={passkey.name}
            maxLength={100}
            onFocus={({ currentTarget }) => currentTarget.select()}
            autoFocus
            required
          />
          <button type="submit" className="btn">
            {words.save}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            {strings.cancel}
          </button>
        </form>
      </td>
    </tr>
  )
}
