// Sessions as JSON.
import type { WireListedSession, WireSession } from '@zonereeve/contract'
import { formatTimestamp } from '@zonereeve/platform'
import { idleEndOf, RECENT_MILLIS } from './sessions.rules.ts'
import type { SignedIn } from './sessions.service.ts'
import type { Session } from './sessions.store.ts'

export function toWireSession({ session, user }: SignedIn): WireSession {
  return {
    id: session.id,
    user: { id: user.id, email: user.email, name: user.name },
    role: user.role,
    zone_roles: user.zoneRoles.map(({ zoneId, role }) => ({ zone_id: zoneId, role })),
    methods: methodsOf(session),
    ...timesOf(session),
    recently_authenticated_until: formatTimestamp(Date.parse(session.authenticatedOn) + RECENT_MILLIS),
  }
}

export function toWireListedSession(session: Session, currentId: string | undefined): WireListedSession {
  return {
    id: session.id,
    methods: methodsOf(session),
    address: session.address,
    user_agent: session.userAgent,
    ...timesOf(session),
    last_used_on: session.lastUsedOn,
    current: session.id === currentId,
  }
}

const timesOf = (session: Session) => ({
  created_on: session.createdOn,
  expires_on: session.expiresOn,
  idle_expires_on: idleEndOf(session),
})

const methodsOf = ({ methods }: Session): WireSession['methods'] => methods as WireSession['methods'] // as they were stored
