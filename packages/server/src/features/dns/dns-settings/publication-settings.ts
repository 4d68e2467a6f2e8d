// The settings of a zone that the nameserver needs, collected from where they are stored.
import type { Reader } from '@zonereeve/storage'
import {
  allSwitches,
  type SecondaryAuthority,
  servedNameServers,
  type PublicationSettings,
  type Switches,
  switchesOf,
  DEFAULT_PUBLICATION_SETTINGS,
  DEFAULT_SWITCHES,
  type Zone,
} from '../../zones/index.ts'
import { allAuthorities, findAuthority } from '../secondary-dns/index.ts'
import {
  DEFAULT_ACCOUNT_DNS_SETTINGS,
  DEFAULT_DNS_SETTINGS,
  type AccountDnsSettings,
  type DnsSettings,
} from './dns-settings.rules.ts'
import {
  allAccountDnsSettings,
  allZoneDnsSettings,
  findAccountDnsSettings,
  findZoneDnsSettings,
} from './dns-settings.store.ts'

export async function publicationSettingsOf(db: Reader, zone: Zone): Promise<PublicationSettings> {
  return combine(zone, {
    own: await findZoneDnsSettings(db, zone.id),
    account: await findAccountDnsSettings(db, zone.accountId),
    switches: await switchesOf(db, zone.id),
    secondary: zone.type === 'secondary' ? await findAuthority(db, zone.id) : undefined,
  })
}

/** The same for many zones: reads all stored settings once. */
export async function readPublicationSettings(db: Reader): Promise<(zone: Zone) => PublicationSettings> {
  const zones = await allZoneDnsSettings(db)
  const accounts = await allAccountDnsSettings(db)
  const switches = await allSwitches(db)
  const secondary = await allAuthorities(db)
  return (zone) =>
    combine(zone, {
      own: zones(zone.id),
      account: accounts(zone.accountId),
      switches: switches(zone.id) ?? DEFAULT_SWITCHES,
      secondary: secondary(zone.id),
    })
}

interface StoredSettings {
  readonly own: DnsSettings | undefined
  readonly account: AccountDnsSettings | undefined
  readonly switches: Switches
  readonly secondary: SecondaryAuthority | undefined
}

function combine(
  zone: Zone,
  { own = DEFAULT_DNS_SETTINGS, account = DEFAULT_ACCOUNT_DNS_SETTINGS, switches, secondary }: StoredSettings,
): PublicationSettings {
  // A secondary zone is answered exactly as on its primary.
  if (zone.type === 'secondary')
    return { ...DEFAULT_PUBLICATION_SETTINGS, secondary, http2: false, http3: false }
  return {
    soa: own.soa,
    nsTtlSeconds: own.nsTtlSeconds,
    nameServers: zone.vanityNameServers.length > 0 ? servedNameServers(zone) : null,
    flattenAllCnames: own.flattenAllCnames,
    multiProvider: own.multiProvider,
    zoneMode: account.enforceDnsOnly ? 'dns_only' : own.zoneMode,
    zoneDigest: own.zoneDigest,
    ...switches,
  }
}
