// Certificates that the edge gets itself, by ACME: the server publishes the challenges in its zones.
import { createKeeper, type AuthoritySettings, type Challenges, type Keeper } from '@zonereeve/certificates'
import type { EdgeLog } from './edge-log.ts'
import type { EdgeServer } from './edge-server.ts'
import type { ZoneTable } from './zone-table.ts'

export interface EdgeCertificatesOptions {
  readonly authority: AuthoritySettings
  /** undefined: of each zone its name, and all names one label below it. */
  readonly names: readonly string[] | undefined
}

interface EdgeCertificatesDeps extends EdgeCertificatesOptions {
  readonly folder: string
  readonly server: Pick<EdgeServer, 'publishChallenge' | 'removeChallenge'>
  readonly zones: Pick<ZoneTable, 'byId' | 'zoneOf'>
  readonly log: EdgeLog
  readonly onIssued: () => void
}

export function keepEdgeCertificates({
  folder,
  authority,
  names,
  server,
  zones,
  log,
  onIssued,
}: EdgeCertificatesDeps): Keeper {
  const challenges: Challenges = {
    publish: async ({ name, value }) => {
      const zone = zones.zoneOf(name)
      if (zone === undefined) throw new Error(`--acme-names: no zone of this edge has ${name}`)
      await server.publishChallenge(zone.id, { host: name, value })
    },
    remove: async ({ name, value }) => {
      const zone = zones.zoneOf(name)
      // Its records are gone with it.
      return zone === undefined ? 'removed' : await server.removeChallenge(zone.id, { host: name, value })
    },
  }
  return createKeeper({ folder, authority, orders: () => orders(zones, names), challenges, log, onIssued })
}

/** One certificate for each zone. */
function orders(
  zones: EdgeCertificatesDeps['zones'],
  names: readonly string[] | undefined,
): readonly (readonly string[])[] {
  if (names === undefined) return [...zones.byId.values()].map(({ name }) => [name, `*.${name}`])
  const byZone = new Map<string, string[]>()
  for (const name of names) {
    const bare = name.replace('*.', '')
    const key = zones.zoneOf(bare)?.name ?? bare // of no zone: its order fails, and says so
    byZone.set(key, [...(byZone.get(key) ?? []), name])
  }
  return [...byZone.values()]
}
