// Rows of DNS settings. Zones and accounts with default settings have no row.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import {
  DEFAULT_ACCOUNT_DNS_SETTINGS,
  DEFAULT_DNS_SETTINGS,
  type AccountDnsSettings,
  type DnsSettings,
} from './dns-settings.rules.ts'

interface OfZone {
  readonly zoneId: string
  readonly settings: Partial<DnsSettings>
}
interface OfAccount {
  readonly accountId: string
  readonly settings: Partial<AccountDnsSettings>
}

const ofZones = tables.zone_dns_settings.of<OfZone>()
const ofAccounts = tables.account_dns_settings.of<OfAccount>()

export const findZoneDnsSettings = (db: Reader, zoneId: string): Promise<DnsSettings | undefined> =>
  ofZones.first(
    db,
    query.selectFrom('zone_dns_settings').selectAll().where('zone_id', '=', zoneId),
    zoneSettings,
  )

export const findAccountDnsSettings = (
  db: Reader,
  accountId: string,
): Promise<AccountDnsSettings | undefined> =>
  ofAccounts.first(
    db,
    query.selectFrom('account_dns_settings').selectAll().where('account_id', '=', accountId),
    accountSettings,
  )

/**
 * Reads the settings that differ from the defaults. @returns a lookup by zone. @throws DomainError:
 * storage.unreadable_row, from the lookup
 */
export async function allZoneDnsSettings(db: Reader): Promise<(zoneId: string) => DnsSettings | undefined> {
  const rows = await db.all(query.selectFrom('zone_dns_settings').selectAll())
  const byZone = new Map(rows.map((row) => [row.zone_id, row]))
  return (zoneId) => {
    const row = byZone.get(zoneId)
    return row && ofZones.read(db, row, zoneSettings)
  }
}

/** Like {@link allZoneDnsSettings}, for accounts. */
export async function allAccountDnsSettings(
  db: Reader,
): Promise<(accountId: string) => AccountDnsSettings | undefined> {
  const rows = await db.all(query.selectFrom('account_dns_settings').selectAll())
  const byAccount = new Map(rows.map((row) => [row.account_id, row]))
  return (accountId) => {
    const row = byAccount.get(accountId)
    return row && ofAccounts.read(db, row, accountSettings)
  }
}

export const saveZoneDnsSettings = (tx: Transaction, zoneId: string, settings: DnsSettings): Promise<void> =>
  ofZones.save(tx, { zoneId, settings })

export const saveAccountDnsSettings = (
  tx: Transaction,
  accountId: string,
  settings: AccountDnsSettings,
): Promise<void> => ofAccounts.save(tx, { accountId, settings })

export const deleteZoneDnsSettings = (tx: Transaction, zoneId: string): Promise<number> =>
  ofZones.remove(tx, { zoneId })

// Rows of an earlier version lack members that a later one added; these have their defaults.
const zoneSettings = ({ settings }: OfZone): DnsSettings => withDefault(settings)

const accountSettings = ({ settings }: OfAccount): AccountDnsSettings => ({
  ...DEFAULT_ACCOUNT_DNS_SETTINGS,
  ...settings,
  zoneDefaults: withDefault(settings.zoneDefaults ?? {}), // as above
})

function withDefault(stored: Partial<DnsSettings>): DnsSettings {
  return { ...DEFAULT_DNS_SETTINGS, ...stored, soa: { ...DEFAULT_DNS_SETTINGS.soa, ...stored.soa } }
}
