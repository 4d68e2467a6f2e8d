// Lists the zones in catalog zones with how far their transfers are, of those zones only that the caller may read.
import type { Name } from '@zonereeve/dns'
import { MAY_READ, type Caller, type PageRange } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import {
  ownMembers,
  secondaryMembers,
  type MemberPage,
  type OwnMember,
  type SecondaryMember,
} from './catalog-member-list.store.ts'
import { requireAccount, requireCatalog } from './catalog-zone.service.ts'
import type { IncomingTransfers, TransferState } from './incoming.service.ts'
import { countPeers, type OutgoingDeps, type PeerCounts } from './outgoing.service.ts'
import { requireSecondaryCatalog } from './secondary-catalogs.service.ts'

export interface ListedOwnMember {
  readonly zoneId: string
  readonly name: Name
  /** Undefined if the caller may not read the zone's DNS. */
  readonly transfers: (Pick<OwnMember, 'serial' | 'checkedOn' | 'transferredOn'> & PeerCounts) | undefined
}

export interface ListedSecondaryMember extends Pick<SecondaryMember, 'zoneId' | 'name' | 'label' | 'groups'> {
  /** Undefined if the caller may not read the zone's DNS, or the stored state cannot be read. */
  readonly transfers: TransferState | undefined
  /** Undefined before the first transfer, and if the stored state cannot be read. */
  readonly serial: number | undefined
}

export interface CatalogMemberListDeps extends Pick<OutgoingDeps, 'lastSeen' | 'peersProgress'> {
  readonly storage: Storage
  readonly stateOf: IncomingTransfers['stateOf']
}

export type CatalogMemberList = ReturnType<typeof createCatalogMemberList>

export function createCatalogMemberList({
  storage,
  lastSeen,
  peersProgress,
  stateOf,
}: CatalogMemberListDeps) {
  return { own, secondary }

  /** Zones in our catalog zone. @throws DomainError: account.unknown, catalog.unknown. */
  async function own(
    accountId: string,
    range: PageRange,
    caller: Caller,
  ): Promise<MemberPage<ListedOwnMember>> {
    await requireAccount(storage, accountId)
    await requireCatalog(storage, accountId)
    const { members, totalCount } = await ownMembers(storage, accountId, range)
    return {
      members: members.map((member) => {
        const { zoneId, name } = member
        return { zoneId, name, transfers: mayRead(caller, zoneId, accountId) ? sentOf(member) : undefined }
      }),
      totalCount,
    }
  }

  function sentOf({ zoneId, serial, ...stored }: OwnMember): ListedOwnMember['transfers'] {
    const seen = lastSeen(zoneId)
    return {
      serial,
      checkedOn: seen.checkedOn ?? stored.checkedOn,
      transferredOn: seen.transferredOn ?? stored.transferredOn,
      ...countPeers(peersProgress(zoneId)),
    }
  }

  /** Zones that were created for a catalog zone elsewhere. @throws DomainError: account.unknown, secondary_catalog.unknown. */
  async function secondary(
    { accountId, name }: { readonly accountId: string; readonly name: string },
    range: PageRange,
    caller: Caller,
  ): Promise<MemberPage<ListedSecondaryMember>> {
    const catalog = await requireSecondaryCatalog(storage, accountId, name)
    const { members, totalCount } = await secondaryMembers(storage, catalog.name, range)
    return {
      members: members.map(({ serial, secondary: state, ...member }) => ({
        ...member,
        transfers:
          state !== undefined && mayRead(caller, member.zoneId, accountId) ? stateOf(state) : undefined,
        serial: state === undefined || state.soa === null ? undefined : serial,
      })),
      totalCount,
    }
  }
}

const mayRead = (caller: Caller, zoneId: string, accountId: string): boolean =>
  caller.can(MAY_READ.dns, { kind: 'zone', zoneId, accountId })
