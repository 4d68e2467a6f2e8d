// The secrets in the database: sealed at start if they are plain, or sealed with the former key.
import { isSealed, type KeyVault, KeyVaultError } from '@zonereeve/platform'
import { query } from './query.ts'
import { settings } from './settings.ts'
import type { Reader, Storage, Transaction } from './storage.ts'

type Secret = Uint8Array | string

/** A stored secret, and how to replace it. */
interface StoredSecret {
  readonly table: string
  readonly key: Readonly<Record<string, string>>
  /** Columns that change when the secret is replaced. */
  readonly row: Readonly<Record<string, unknown>>
  readonly belongsTo: string
  /** Created again if it cannot be opened, so it does not show whether the key is right. */
  readonly isRenewable?: boolean
  readonly value: Secret
  save(tx: Transaction, sealed: Secret): Promise<unknown>
}

/** Settings that are secrets; each is created again if it cannot be opened. */
const SECRET_SETTINGS = ['page_shield.reporting_key']

/** The owner that is authenticated with a sealed secret: its row. */
export const belongsToRow = (table: string, id: string): string => `${table}/${id}`

/** Secrets that the vault cannot open. */
export async function unreadableSecrets(
  db: Reader,
  vault: KeyVault,
): Promise<readonly Pick<StoredSecret, 'table' | 'key' | 'row'>[]> {
  return (await storedSecrets(db)).filter((secret) => stateOf(secret, vault) === 'unreadable')
}

/** Whether any secret would be lost without its key. */
export async function hasSealedSecrets(db: Reader): Promise<boolean> {
  return (await storedSecrets(db)).some(({ value, isRenewable }) => isRenewable !== true && isSealed(value))
}

/**
 * Seals plain secrets. From then on {@link mayHavePlainCopies} is true until {@link noteErased}.
 * @throws KeyVaultError if the vault can open none of the sealed secrets
 */
export async function sealStoredSecrets(storage: Storage, vault: KeyVault): Promise<void> {
  const all = await storedSecrets(storage)
  const known = all.map((secret) => ({ secret, state: stateOf(secret, vault) }))
  const sealed = known.filter(({ secret }) => secret.isRenewable !== true && isSealed(secret.value))
  // A single secret that cannot be opened is a damaged row, reported where it is read; if none can be, the key
  // is wrong.
  if (sealed.length > 0 && sealed.every(({ state }) => state === 'unreadable'))
    throw new KeyVaultError('stored secrets are encrypted with another key')
  const stale = known.filter(({ state }) => state === 'stale')
  if (stale.length === 0) return
  await storage.write(async (tx) => {
    for (const { secret } of stale) await secret.save(tx, reseal(secret, vault))
    await settings.save(tx, { name: PLAIN_COPIES, value: String(stale.length) })
  })
}

/**
 * Free pages and the WAL contain the replaced secrets until they are erased. If that fails, the next start
 * repeats it.
 */
const PLAIN_COPIES = 'storage.plain_copies'

export async function mayHavePlainCopies(db: Reader): Promise<boolean> {
  const row = await db.first(query.selectFrom('settings').select('value').where('name', '=', PLAIN_COPIES))
  return row !== undefined
}

export async function noteErased(storage: Storage): Promise<void> {
  await storage.write((tx) => tx.run(query.deleteFrom('settings').where('name', '=', PLAIN_COPIES)))
}

function stateOf({ value, belongsTo }: StoredSecret, vault: KeyVault): 'current' | 'stale' | 'unreadable' {
  try {
    return vault.isStale(value, belongsTo) ? 'stale' : 'current'
  } catch {
    return 'unreadable'
  }
}

const reseal = ({ value, belongsTo }: StoredSecret, vault: KeyVault): Secret =>
  typeof value === 'string'
    ? vault.sealText(vault.openText(value, belongsTo), belongsTo)
    : vault.seal(vault.open(value, belongsTo), belongsTo)

async function storedSecrets(db: Reader): Promise<StoredSecret[]> {
  const dnssecKeys = await db.all(query.selectFrom('dnssec_keys').select(['id', 'zone_id', 'secret']))
  const tsigKeys = query.selectFrom('transfer_objects').select(['id', 'body']).where('kind', '=', 'tsig')
  const found: StoredSecret[] = dnssecKeys.map(({ id, zone_id: zoneId, secret }) => ({
    table: 'dnssec_keys',
    key: { id },
    row: { zone_id: zoneId, secret },
    belongsTo: `${zoneId}/${id}`,
    value: secret,
    save: (tx, sealed) =>
      tx.run(
        query
          .updateTable('dnssec_keys')
          .set({ secret: sealed as Uint8Array }) // as `value`
          .where('id', '=', id),
      ),
  }))
  found.push(...(await secretSettings(db)))
  for (const table of ['update_keys', 'page_shield_webhooks', 'account_webhooks'] as const)
    for (const { id, secret } of await db.all(query.selectFrom(table).select(['id', 'secret'])))
      found.push({
        table,
        key: { id },
        row: { secret },
        belongsTo: belongsToRow(table, id),
        value: secret,
        save: (tx, sealed) =>
          tx.run(
            query
              .updateTable(table)
              .set({ secret: sealed as string }) // as `value`
              .where('id', '=', id),
          ),
      })
  for (const { user_id: id, secret } of await db.all(
    query.selectFrom('totp_keys').select(['user_id', 'secret']),
  ))
    found.push({
      table: 'totp_keys',
      key: { user_id: id },
      row: { secret },
      belongsTo: belongsToRow('totp_keys', id),
      value: secret,
      save: (tx, sealed) =>
        tx.run(
          query
            .updateTable('totp_keys')
            .set({ secret: sealed as string }) // as `value`
            .where('user_id', '=', id),
        ),
    })
  for (const { id, body } of await db.all(tsigKeys)) {
    const object = parseObject(body)
    if (typeof object?.['secret'] !== 'string') continue
    found.push({
      table: 'transfer_objects',
      key: { id },
      row: { body },
      belongsTo: belongsToRow('transfer_objects', id),
      value: object['secret'],
      save: (tx, sealed) =>
        tx.run(
          query
            .updateTable('transfer_objects')
            .set({ body: JSON.stringify({ ...object, secret: sealed }) })
            .where('id', '=', id),
        ),
    })
  }
  return found
}

async function secretSettings(db: Reader): Promise<StoredSecret[]> {
  const rows = await db.all(query.selectFrom('settings').selectAll().where('name', 'in', SECRET_SETTINGS))
  return rows.map(({ name, value }) => ({
    table: 'settings',
    key: { name },
    row: { value },
    belongsTo: belongsToRow('settings', name),
    value,
    isRenewable: true,
    save: (tx, sealed) =>
      tx.run(
        query
          .updateTable('settings')
          .set({ value: sealed as string }) // as `value`
          .where('name', '=', name),
      ),
  }))
}

/** Undefined for an unreadable row, which is reported where it is used. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown> // all rows are objects
  } catch {
    return undefined
  }
}
