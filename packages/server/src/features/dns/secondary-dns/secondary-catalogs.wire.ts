// Secondary catalog zones between wire and domain form.
import type {
  SecondaryCatalogDraft,
  WireSecondaryCatalog,
  WireSecondaryCatalogMember,
} from '@zonereeve/contract'
import type { ListedSecondaryMember } from './catalog-member-list.service.ts'
import type { SecondaryCatalogDefinition, SecondaryCatalogStatus } from './secondary-catalogs.service.ts'
import type { HeldVersion } from './secondary-catalogs.store.ts'
import { DEFAULT_REFRESH_SECONDS } from './secondary-dns.wire.ts'

/** Zones that a status names. */
const MAX_SHOWN = 100

export const toSecondaryCatalogDefinition = (draft: SecondaryCatalogDraft): SecondaryCatalogDefinition => ({
  peerIds: draft.peers,
  groups: (draft.groups ?? []).map(({ name, peers }) => ({ name, peerIds: peers })), // no groups
  autoRefreshSeconds: draft.auto_refresh_seconds ?? DEFAULT_REFRESH_SECONDS,
})

export function toWireSecondaryCatalog(status: SecondaryCatalogStatus): WireSecondaryCatalog {
  const { catalog, state, serial, expiresAtMillis, listed, created, pending, conflicts } = status
  const { held, primarySerial } = catalog
  return {
    name: `${catalog.name}.`,
    peers: [...catalog.peerIds],
    groups: catalog.groups.map(({ name, peerIds }) => ({ name, peers: [...peerIds] })),
    auto_refresh_seconds: catalog.autoRefreshSeconds,
    state,
    soa_serial: serial,
    primary_serial: primarySerial,
    problem: catalog.problem,
    checked_on: catalog.checkedOn,
    transferred_on: catalog.transferredOn,
    expires_on: expiresAtMillis === undefined ? null : new Date(expiresAtMillis).toISOString(),
    members: { listed, created, pending },
    conflicts: conflicts.slice(0, MAX_SHOWN).map(({ zone, problem }) => ({ zone, problem })),
    // The primary may have another version by now.
    held: held === null || held.serial !== primarySerial ? null : toWireHeld(held),
    created_on: catalog.createdOn,
    modified_on: catalog.modifiedOn,
  }
}

const toWireHeld = ({ zones, ...held }: HeldVersion) => ({ ...held, zones: [...zones] })

export function toWireSecondaryMember(member: ListedSecondaryMember): WireSecondaryCatalogMember {
  const { zoneId, name, label, groups, transfers, serial } = member
  return {
    zone_id: zoneId,
    name: `${name}.`,
    label,
    groups: [...groups],
    transfers:
      transfers === undefined
        ? null
        : {
            state: transfers.state,
            soa_serial: serial ?? null,
            primary_serial: transfers.secondary.primarySerial,
            problem: transfers.secondary.problem,
            checked_on: transfers.secondary.checkedOn,
            transferred_on: transfers.secondary.transferredOn,
          },
  }
}
