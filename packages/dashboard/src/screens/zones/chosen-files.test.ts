import { expect, test } from 'vitest'
import { needsPreview, previewChosen, readChosen } from './chosen-files.ts'

const { signal } = new AbortController()
const FILE = { text: 'www 300 A 192.0.2.1', zone: 'example.com' }

test('a file that cannot be read has the failure in its row, and no preview', async () => {
  const text = (): Promise<string> => Promise.reject(new Error('the file was changed'))
  const read = await readChosen({ name: 'example.com.zone', text })
  expect(read).toEqual({ fileName: 'example.com.zone', text: '', zone: '', unread: 'the file was changed' })
  expect(needsPreview({ ...read, zone: 'example.com' })).toBe(false)
})

test('a preview that fails is not tried again, and does not keep the next file waiting', async () => {
  const changes = await previewChosen(FILE, signal, () => Promise.reject(new Error('too large')))
  expect(changes).toEqual({ problem: 'too large' })
  expect(needsPreview({ fileName: 'a', ...FILE, ...changes })).toBe(false)
})

test('a preview', async () => {
  expect(needsPreview({ fileName: 'a', ...FILE })).toBe(true)
  expect((await previewChosen(FILE, signal))?.preview?.records).toBe(1)
})

test('the preview of a file with another name by now changes nothing', async () => {
  expect(await previewChosen(FILE, AbortSignal.abort())).toBeUndefined()
})
