// What the nameserver needs to know of a zone's settings, from wherever they are stored.
import type { Reader } from '../../storage/index.ts'
import {
  servedNameServers,
  USUAL_SERVING_SETTINGS,
  type FollowedAuthority,
  type ServingSettings,
  type Zone,
} from '../zones/index.ts'
import { allAuthorities, findAuthority } from '../secondary-dns/index.ts'
import { allSwitches, switchesOf, USUAL_SWITCHES, type Switches } from '../zone-settings/index.ts'
import {
  USUAL_ACCOUNT_DNS_SETTINGS,
  USUAL_DNS_SETTINGS,
  type AccountDnsSettings,
  type DnsSettings,
} from './dns-settings.rules.ts'
import {
  allAccountDnsSettings,
  allZoneDnsSettings,
  findAccountDnsSettings,
  findZoneDnsSettings,
} from './dns-settings.store.ts'

export async function servingSettingsOf(db: Reader, zone: Zone): Promise<ServingSettings> {
  return combine(zone, {
    own: await findZoneDnsSettings(db, zone.id),
    account: await findAccountDnsSettings(db, zone.accountId),
    switches: await switchesOf(db, zone.id),
    followed: zone.type === 'secondary' ? await findAuthority(db, zone.id) : undefined,
  })
}

/** The same for many zones: reads all that is stored, once. */
export async function readServingSettings(db: Reader): Promise<(zone: Zone) => ServingSettings> {
  const zones = await allZoneDnsSettings(db)
  const accounts = await allAccountDnsSettings(db)
  const switches = await allSwitches(db)
  const followed = await allAuthorities(db)
  return (zone) =>
    combine(zone, {
      own: zones.get(zone.id),
      account: accounts.get(zone.accountId),
      switches: switches.get(zone.id) ?? USUAL_SWITCHES,
      followed: followed.get(zone.id),
    })
}

interface Stored {
  readonly own: DnsSettings | undefined
  readonly account: AccountDnsSettings | undefined
  readonly switches: Switches
  readonly followed: FollowedAuthority | undefined
}

function combine(
  zone: Zone,
  { own = USUAL_DNS_SETTINGS, account = USUAL_ACCOUNT_DNS_SETTINGS, switches, followed }: Stored,
): ServingSettings {
  // What a primary has is answered as it is.
  if (zone.type === 'secondary') return { ...USUAL_SERVING_SETTINGS, followed, http2: false, http3: false }
  return {
    soa: own.soa,
    nsTtlSeconds: own.nsTtlSeconds,
    nameServers: zone.vanityNameServers.length > 0 ? servedNameServers(zone) : null,
    flattenAllCnames: own.flattenAllCnames,
    multiProvider: own.multiProvider,
    zoneMode: account.enforceDnsOnly ? 'dns_only' : own.zoneMode,
    ...switches,
  }
}
