// The account of the user: ways to sign in, and sessions.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { editUser, ownSignIn, setPassword, type WireSignInUser } from '../../api/account.ts'
import { currentSession } from '../../api/session.ts'
import { useToast } from '../../app/toasts.tsx'
import { useConfirmation, type Confirmation } from '../../parts/confirmation.tsx'
import { Field } from '../../parts/field.tsx'
import { useLeftField } from '../../parts/left-field.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading, sentenceOf } from '../../parts/states.tsx'
import { DateTime } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { accountStrings as words } from '../../strings/account.ts'
import { CodesSection } from './codes-section.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { SessionSection } from './session-section.tsx'

const MIN_PASSWORD = 12

export function AccountScreen() {
  const { data: user, error, refetch } = useQuery(ownSignIn)
  const confirmation = useConfirmation()
  return (
    <>
      <title>{`${words.title} · ${strings.product}`}</title>
      <PageHead title={words.title} intro={words.intro} />
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && user === undefined && <Loading />}
      {user !== undefined && (
        <>
          <Profile key={`${user.email} ${user.name}`} user={user} confirmation={confirmation} />
          <PasswordSection user={user} confirmation={confirmation} />
          <CodesSection user={user} confirmation={confirmation} />
          <PasskeySection confirmation={confirmation} />
          <SessionSection />
        </>
      )}
      {confirmation.dialog}
    </>
  )
}

interface SectionProps {
  readonly user: WireSignInUser
  readonly confirmation: Confirmation
}

function Profile({ user, confirmation }: SectionProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: (draft: Parameters<typeof editUser>[0]) => confirmation.confirmed(() => editUser(draft)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ownSignIn.queryKey })
      await queries.invalidateQueries({ queryKey: currentSession.queryKey })
      toast({ text: words.saved })
    },
  })
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    saving.mutate({ email: String(form.get('email')).trim(), name: name === '' ? null : name })
  }
  return (
    <Section title={words.profile.title} note={roleText(user)} kind="hi">
      <form className="stack form" onSubmit={save}>
        <div className="g2">
          <Field
            label={words.profile.email}
            hint={words.profile.emailHint}
            error={saving.error === null ? undefined : sentenceOf(saving.error)}
          >
            {(ids) => (
              <input
                {...ids}
                className="in sans"
                name="email"
                type="email"
                autoComplete="email"
                defaultValue={user.email}
                required
              />
            )}
          </Field>
          <Field label={words.profile.name}>
            {(ids) => (
              <input
                {...ids}
                className="in sans"
                name="name"
                autoComplete="name"
                maxLength={100}
                defaultValue={user.name ?? undefined}
              />
            )}
          </Field>
        </div>
        <div className="row">
          <button type="submit" className="btn" disabled={saving.isPending}>
            {words.profile.submit}
          </button>
        </div>
      </form>
    </Section>
  )
}

function roleText({ role, zone_roles: zones }: WireSignInUser): string {
  if (role !== null) return words.profile.roles[role]
  return zones.length === 0 ? words.profile.noRole : words.profile.zones(zones.length)
}

function PasswordSection({ user, confirmation }: SectionProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const { isLeft, leave, show, reset } = useLeftField()
  const saving = useMutation({
    mutationFn: () => confirmation.confirmed(() => setPassword(typed)),
    onSuccess: async () => {
      setTyped('')
      reset()
      await queries.invalidateQueries()
      toast({ text: words.password.done })
    },
  })
  const isShort = [...typed].length < MIN_PASSWORD
  const short = isLeft && typed !== '' && isShort ? words.password.short([...typed].length) : undefined
  const since = user.password_changed_on
  return (
    <Section
      title={words.password.title}
      note={
        since === null ? (
          words.password.none
        ) : (
          <>
            {words.password.since} <DateTime at={since} />
          </>
        )
      }
    >
      <form
        className="stack form"
        onSubmit={(event) => {
          event.preventDefault()
          show()
          if (!isShort) saving.mutate()
        }}
      >
        <input
          type="text"
          name="username"
          autoComplete="username"
          defaultValue={user.email}
          hidden
          readOnly
        />
        <Field
          className="half"
          label={words.password.field}
          hint={words.password.hint}
          error={short ?? (saving.error === null ? undefined : sentenceOf(saving.error))}
        >
          {(ids) => (
            <input
              {...ids}
              className="in"
              type="password"
              autoComplete="new-password"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                saving.reset()
              }}
              onBlur={leave}
              required
            />
          )}
        </Field>
        <div className="row">
          <button type="submit" className="btn" disabled={saving.isPending || (isLeft && isShort)}>
            {since === null ? words.password.set : words.password.change}
          </button>
        </div>
      </form>
    </Section>
  )
}
