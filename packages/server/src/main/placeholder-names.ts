// The names of nameservers that new zones get without --name-servers exist nowhere.
import type { Log } from '@zonereeve/platform'
import { countRows, query, sql, type Storage } from '@zonereeve/storage'

const REMEDY = 'start with --name-servers and your names, and set them for these zones (vanity_name_servers)'

/** Logs how many zones no resolver can find: a server that others reach is meant to be found. */
export async function warnOfPlaceholders(storage: Storage, log: Pick<Log, 'warn'>): Promise<void> {
  const zones = await countRows(
    storage,
    query
      .selectFrom('zones')
      .where(sql<boolean>`name_servers LIKE '%.zonereeve.internal"%' AND vanity_name_servers = '[]'`),
  )
  if (zones > 0) log.warn({ zones, remedy: REMEDY }, 'zones are delegated to placeholder nameservers')
}
