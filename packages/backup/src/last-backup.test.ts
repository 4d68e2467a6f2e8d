// The note about the last backup: written, replaced, and never in the way of a start.
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { expect, test } from 'vitest'
import { lastBackup, noteBackup } from './last-backup.ts'

const backup = { created: '2026-11-22T10:00:00.000Z', path: '/b/1.backup', octets: 12, isEncrypted: true }

test('the newest note is read back, and is private', () => {
  const folder = scratchFolder()
  const database = join(folder, 'zonereeve.db')
  expect(lastBackup(database)).toBeUndefined()
  noteBackup(database, { ...backup, octets: 1 })
  noteBackup(database, backup)
  expect(lastBackup(database)).toEqual(backup)
  const [note = 'none', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  expect(statSync(join(folder, note)).mode & 0o777).toBe(0o600)
})

test.each([
  ['not JSON', '{'],
  ['a list', '[]'],
  ['nothing', 'null'],
  ['a member of another type', JSON.stringify({ ...backup, octets: '12' })],
])('a damaged note is no backup: %s', (_, text) => {
  const database = join(scratchFolder(), 'zonereeve.db')
  writeFileSync(`${database}.last-backup`, text)
  expect(lastBackup(database)).toBeUndefined()
})
