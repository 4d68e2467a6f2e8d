// One user: roles, a new link, deletion; and the form by which a user is invited.
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { zoneWithId } from '../../api/tokens.ts'
import {
  changeUser,
  deleteUser,
  inviteUser,
  linkUser,
  userList,
  type UserDraft,
  type WireManagedUser,
} from '../../api/users.ts'
import { useToast } from '../../app/toasts.tsx'
import type { Confirmation } from '../../parts/confirmation.tsx'
import { Field } from '../../parts/field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Icon } from '../../parts/icon.tsx'
import { findZones } from '../../parts/named-zones.ts'
import { Section } from '../../parts/section.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { userStrings as words } from '../../strings/users.ts'
import { emptyRoles, RoleFields, type Roles } from './role-fields.tsx'

interface InviteProps {
  readonly confirmation: Confirmation
  readonly onClose: () => void
}

export function InviteUser({ confirmation: { confirmed }, onClose }: InviteProps) {
  const queries = useQueryClient()
  const [roles, setRoles] = useState<Roles>(emptyRoles('viewer'))
  const readRoles = useRoleReader()
  const invitation = useMutation({
    mutationFn: async (who: Pick<UserDraft, 'email' | 'name'>) => {
      const draft = { ...who, ...(await readRoles(roles)) }
      return confirmed(() => inviteUser(draft))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: userList.queryKey }),
  })
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    invitation.mutate({ email: String(form.get('email')).trim(), name: name === '' ? null : name })
  }
  return (
    <Section title={words.form.invite} note={words.form.inviteNote} kind="hi" onEscape={onClose}>
      {invitation.data !== undefined ? (
        <UserLink user={invitation.data} onDone={onClose} />
      ) : (
        <form className="stack form" onSubmit={send}>
          <Problem error={invitation.error} />
          <div className="g2">
            <Field label={words.form.email}>
              {(ids) => (
                <input
                  {...ids}
                  className="in sans"
                  name="email"
                  type="email"
                  autoComplete="off"
                  autoFocus
                  required
                />
              )}
            </Field>
            <Field label={words.form.name}>
              {(ids) => <input {...ids} className="in sans" name="name" maxLength={100} autoComplete="off" />}
            </Field>
          </div>
          <RoleFields roles={roles} onRoles={setRoles} />
          <FormFoot label={words.form.create} isBusy={invitation.isPending} onClose={onClose} />
        </form>
      )}
    </Section>
  )
}

function Problem({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <p className="bad row nowrap" role="alert">
      <Icon name="wrong" />
      <span>{error instanceof UnknownZone ? error.message : sentenceOf(error)}</span>
    </p>
  )
}

function UserLink({ user, onDone }: { readonly user: WireManagedUser; readonly onDone: () => void }) {
  return (
    <ShownOnce
      value={`${location.origin}/sign-in#link=${user.link}`}
      headline={words.link.title}
      detail={words.link.detail(user.email)}
      doneLabel={words.link.done}
      onDone={onDone}
    />
  )
}

class UnknownZone extends Error {}

/** Zones are named in the form, and sent by their ids. */
function useRoleReader() {
  const queries = useQueryClient()
  return async ({ role, zones }: Roles): Promise<Pick<UserDraft, 'role' | 'zone_roles'>> => {
    const named = zones.filter(({ zone }) => zone.trim() !== '')
    const names = named.map(({ zone }) => zone.trim().toLowerCase())
    const found = await findZones(queries, names)
    if (found.unknown.length > 0) throw new UnknownZone(words.form.unknownZone(found.unknown.join(', ')))
    const zoneRoles = named.flatMap((held, index) => {
      const zone = found.zones[index]
      return zone === undefined ? [] : [{ zone_id: zone.id, role: held.role }]
    })
    return { role, zone_roles: zoneRoles }
  }
}

interface UserDetailProps extends InviteProps {
  readonly user: WireManagedUser
}

/** Waits for the names of the zones of the user's roles. */
export function UserDetail({ user, ...props }: UserDetailProps) {
  const zones = useQueries({ queries: user.zone_roles.map((held) => zoneWithId(held.zone_id)) })
  if (zones.some(({ isPending }) => isPending)) return null
  const held = user.zone_roles.map((each, index) => ({
    key: index,
    zone: zones[index]?.data?.name ?? each.zone_id,
    role: each.role,
  }))
  return <UserForm user={user} first={{ role: user.role, zones: held }} {...props} />
}

function UserForm({
  user,
  first,
  confirmation: { confirmed },
  onClose,
}: UserDetailProps & { readonly first: Roles }) {
  const queries = useQueryClient()
  const toast = useToast()
  const [roles, setRoles] = useState(first)
  const readRoles = useRoleReader()
  const refresh = () => queries.invalidateQueries({ queryKey: userList.queryKey })
  const saving = useMutation({
    mutationFn: async () => {
      const change = await readRoles(roles)
      return confirmed(() => changeUser(user.id, change))
    },
    onSuccess: async () => {
      await refresh()
      toast({ text: words.saved(user.email) })
    },
  })
  const linking = useMutation({ mutationFn: () => confirmed(() => linkUser(user.id)) })
  const removal = useMutation({
    mutationFn: () => confirmed(() => deleteUser(user.id)),
    onSuccess: async () => {
      onClose()
      await refresh()
      toast({ text: words.removed(user.email) })
    },
  })
  return (
    <Section title={user.email} note={user.name} kind="hi" onEscape={onClose}>
      <div className="stack form">
        <Problem error={saving.error ?? linking.error ?? removal.error} />
        {linking.data !== undefined && <UserLink user={linking.data} onDone={() => linking.reset()} />}
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            saving.mutate()
          }}
        >
          <RoleFields roles={roles} onRoles={setRoles} />
          <div className="row">
            <button type="submit" className="btn primary" disabled={saving.isPending}>
              {words.form.save}
            </button>
            <button type="button" className="btn" onClick={() => linking.mutate()}>
              {words.link.again}
            </button>
            <button
              type="button"
              className="btn danger"
              title={words.removeDetail}
              onClick={() => removal.mutate()}
            >
              {words.remove}
            </button>
            <button type="button" className="btn bare" onClick={onClose}>
              {words.form.close} <kbd>Esc</kbd>
            </button>
          </div>
        </form>
      </div>
    </Section>
  )
}
