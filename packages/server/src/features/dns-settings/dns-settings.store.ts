// Rows of DNS settings. There are none for zones and accounts that have the usual ones.
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import {
  USUAL_ACCOUNT_DNS_SETTINGS,
  USUAL_DNS_SETTINGS,
  type AccountDnsSettings,
  type DnsSettings,
} from './dns-settings.rules.ts'

export async function findZoneDnsSettings(db: Reader, zoneId: string): Promise<DnsSettings | undefined> {
  const row = await db.first(
    query.selectFrom('zone_dns_settings').select('settings').where('zone_id', '=', zoneId),
  )
  return row && fromText(row.settings)
}

export async function findAccountDnsSettings(
  db: Reader,
  accountId: string,
): Promise<AccountDnsSettings | undefined> {
  const row = await db.first(
    query.selectFrom('account_dns_settings').select('settings').where('account_id', '=', accountId),
  )
  return row && fromAccountText(row.settings)
}

/** Those that differ from the usual ones, by zone. */
export async function allZoneDnsSettings(db: Reader): Promise<ReadonlyMap<string, DnsSettings>> {
  const found = new Map<string, DnsSettings>()
  await db.each(query.selectFrom('zone_dns_settings').selectAll(), (row) => {
    found.set(row.zone_id, fromText(row.settings))
  })
  return found
}

/** Those that differ from the usual ones, by account. */
export async function allAccountDnsSettings(db: Reader): Promise<ReadonlyMap<string, AccountDnsSettings>> {
  const rows = await db.all(query.selectFrom('account_dns_settings').selectAll())
  return new Map(rows.map((row) => [row.account_id, fromAccountText(row.settings)]))
}

export async function saveZoneDnsSettings(
  tx: Transaction,
  zoneId: string,
  saved: DnsSettings,
): Promise<void> {
  const settings = JSON.stringify(saved)
  await tx.run(
    query
      .insertInto('zone_dns_settings')
      .values({ zone_id: zoneId, settings })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet({ settings })),
  )
}

export async function saveAccountDnsSettings(
  tx: Transaction,
  accountId: string,
  saved: AccountDnsSettings,
): Promise<void> {
  const settings = JSON.stringify(saved)
  await tx.run(
    query
      .insertInto('account_dns_settings')
      .values({ account_id: accountId, settings })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ settings })),
  )
}

export async function deleteZoneDnsSettings(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('zone_dns_settings').where('zone_id', '=', zoneId))
}

// Members that a later version adds have their usual values in rows of an earlier one.
function fromText(text: string): DnsSettings {
  return withUsual(JSON.parse(text) as Partial<DnsSettings>) // written by saveZoneDnsSettings
}

function fromAccountText(text: string): AccountDnsSettings {
  const stored = JSON.parse(text) as Partial<AccountDnsSettings> // written by saveAccountDnsSettings
  return {
    ...USUAL_ACCOUNT_DNS_SETTINGS,
    ...stored,
    zoneDefaults: withUsual(stored.zoneDefaults ?? {}),
  }
}

function withUsual(stored: Partial<DnsSettings>): DnsSettings {
  return { ...USUAL_DNS_SETTINGS, ...stored, soa: { ...USUAL_DNS_SETTINGS.soa, ...stored.soa } }
}
