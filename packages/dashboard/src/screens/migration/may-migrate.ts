// Whether the buttons of the migration are offered. The server decides; this spares viewers a refusal.
import type { WireSession } from '@zonereeve/contract'

export function mayMigrate(session: WireSession | undefined, zoneId: string): boolean {
  if (session === undefined) return false
  const own = session.zone_roles.find(({ zone_id: id }) => id === zoneId)?.role
  return [session.role, own].some((role) => role !== undefined && role !== null && role !== 'viewer')
}
