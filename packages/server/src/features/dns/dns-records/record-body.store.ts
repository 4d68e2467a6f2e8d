// The stored JSON of a record and its checksum.
import { byEngine, checksum, type Database, sql, throwDamagedRow } from '@zonereeve/storage'

type BodyRow = Pick<Database['dns_records'], 'id' | 'body' | 'body_checksum'>

/** Whether the body is as written. A row without a checksum was written by hand; its body must be JSON. */
export const isWholeBody = ({ id, body, body_checksum: sum }: BodyRow): boolean =>
  sum === null ? isObject(body) : sum === checksum(id, body)

/** The negation of {@link isWholeBody} in SQL. PostgreSQL has no such function, and checks its own pages. */
export const brokenBody = byEngine({
  sqlite: sql<boolean>`case when body_checksum is null then not json_valid(body)
    else body_checksum <> checksum(id, body) end`,
  postgres: sql<boolean>`false`,
})

/** @throws DomainError: storage.damaged. */
export function requireWholeBody(row: BodyRow): void {
  if (!isWholeBody(row)) throwDamagedRecord(row.id)
}

export function throwDamagedRecord(id: string): never {
  throwDamagedRow(`record ${id}`, 'overwrite or delete the record')
}

/** Whether the text is a JSON object. */
export function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
