// Whether changes of a zone are offered. The server decides; this spares viewers a refusal.
import type { WireSession } from '@zonereeve/contract'

/** Peers, keys and catalog zones belong to accounts: those who may change one may change all. */
export const mayWriteAccounts = (session: Pick<WireSession, 'role'> | null | undefined): boolean =>
  session?.role === 'owner' || session?.role === 'admin'

/** @param session undefined while it is not known, null without one. */
export function mayWriteZone(
  session: Pick<WireSession, 'role' | 'zone_roles'> | null | undefined,
  zoneId: string,
): boolean {
  if (session === undefined || session === null) return false
  const own = session.zone_roles.find(({ zone_id: id }) => id === zoneId)?.role
  return [session.role, own].some((role) => role !== undefined && role !== null && role !== 'viewer')
}
