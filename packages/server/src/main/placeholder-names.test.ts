// The warning while zones are delegated to names that exist nowhere.
import { expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { warnOfPlaceholders } from './placeholder-names.ts'

test('zones with placeholder nameservers are counted, those with names of their own are not', async () => {
  const app = await startTestApp()
  const warned: object[] = []
  const log = { warn: (fields: object) => void warned.push(fields) }
  await warnOfPlaceholders(app.storage, log)
  expect(warned).toEqual([])
  const zones = ['example.com', 'example.net'].map((name) => app.must('POST', '/zones', { name }))
  const [first] = await Promise.all(zones)
  await app.must('PATCH', `/zones/${first?.id}`, {
    vanity_name_servers: ['ns1.example.com', 'ns2.example.com'],
  })
  await warnOfPlaceholders(app.storage, log)
  expect(warned).toEqual([{ zones: 1, remedy: expect.stringMatching(/--name-servers/) }])
  await app.close()
})
