// Users: who may sign in, with which role; invited by a one-time link.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiError } from '../../api/call.ts'
import { currentSession } from '../../api/session.ts'
import { userList, type WireManagedUser } from '../../api/users.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { useConfirmation } from '../../parts/confirmation.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { userStrings as words } from '../../strings/users.ts'
import { InviteUser, UserDetail } from './user-detail.tsx'

export function UsersScreen() {
  const search = useSearch({ from: '/frame/users' })
  const navigate = useNavigate({ from: '/users' })
  const { data: users, error, refetch, isPending } = useQuery(userList)
  const { data: session } = useQuery(currentSession)
  const confirmation = useConfirmation()
  const open = (add: string | undefined) => void navigate({ search: { add } })
  const mayWrite = session?.role === 'owner'
  useShortcuts(mayWrite ? { n: () => open('user') } : {})
  const shown = users?.find(({ id }) => id === search.user)
  return (
    <>
      <title>{`${words.title} · ${strings.product}`}</title>
      <PageHead title={words.title} intro={words.intro}>
        {mayWrite && (
          <button type="button" className="btn primary" onClick={() => open('user')}>
            {words.add} <kbd>n</kbd>
          </button>
        )}
      </PageHead>
      {search.add !== undefined && <InviteUser confirmation={confirmation} onClose={() => open(undefined)} />}
      {shown !== undefined && mayWrite && (
        <UserDetail key={shown.id} user={shown} confirmation={confirmation} onClose={() => open(undefined)} />
      )}
      {error instanceof ApiError && error.status === 403 && <p className="pad soft">{words.forbidden}</p>}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {users !== undefined && <UserTable users={users} ownId={session?.user.id} mayWrite={mayWrite} />}
      {confirmation.dialog}
    </>
  )
}

interface UserTableProps {
  readonly users: readonly WireManagedUser[]
  readonly ownId: string | undefined
  readonly mayWrite: boolean
}

function UserTable({ users, ownId, mayWrite }: UserTableProps) {
  const { columns } = words
  return (
    <table className="reg">
      <thead>
        <tr>
          <MarkHead />
          <th>{columns.user}</th>
          <th className="w152">{columns.role}</th>
          <th className="w176 num o1">{columns.zones}</th>
          <th className="w104 num">{columns.created}</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <td className="m" />
            <td className="k1">
              {mayWrite ? (
                <Link className="go" to="/users" search={{ user: user.id }}>
                  {user.email}
                </Link>
              ) : (
                <b>{user.email}</b>
              )}{' '}
              <span className="soft">{user.name}</span>{' '}
              {user.id === ownId && <span className="dim">{words.you}</span>}
            </td>
            <td className="k3">{roleText(user)}</td>
            <td className="num o1 soft">{user.zone_roles.length}</td>
            <td className="k2 num soft">
              <Age at={user.created_on} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function roleText({ role, zone_roles: zoneRoles }: WireManagedUser): string {
  if (role !== null) return words.roles[role]
  return zoneRoles.length === 0 ? words.noRole : words.zonesOnly
}
