// A flipped byte in a stored value is detected when the value is read, and the error names the record.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { openSqlite } from '@zonereeve/storage'

test.each([
  [
    'the body of a record',
    `UPDATE dns_records SET content = replace(content, '192.0.2.1', '192.0.2.9')`,
    'record ',
  ],
  [
    'a string of the history',
    `UPDATE change_ops SET "after" = replace("after", '192.0.2.1', '192.0.2.9')`,
    'operation 0',
  ],
])('%s', async (_, flip, row) => {
  const database = join(scratchFolder(), 'zonereeve.db')
  const app = await startTestApp({ database })
  onTestFinished(() => app.close())
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const records = `/zones/${zone.id}/dns_records`
  const made = await app.must('POST', records, { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 })
  const connection = await openSqlite(database)
  connection.exec(flip)
  connection.close()
  const isRecord = row === 'record '
  const paths = isRecord ? [records, `${records}/${made.id}`] : [`/zonereeve/zones/${zone.id}/changes/2`]
  for (const path of paths) {
    const { status, json } = await app.call({ method: 'GET', path })
    expect([status, json.errors[0]?.code]).toEqual([503, 19829])
    expect(json.errors[0]?.message).toContain(isRecord ? `record ${made.id}` : row)
  }
  const untouched = isRecord ? `/zonereeve/zones/${zone.id}/changes/2` : records
  expect((await app.call({ method: 'GET', path: untouched })).status).toBe(200)
})
