import { expect, test, vi } from 'vitest'
import type { WireZone } from '../../api/zones.ts'
import { lookUpZone, needsLookUp, needsPreview, previewChosen, readChosen } from './chosen-files.ts'

const { signal } = new AbortController()
const noZone = () => Promise.resolve(null)
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

test.each([
  ['that exists', () => Promise.resolve({} as WireZone), true], // only whether there is one
  ['that does not exist', noZone, false],
  ['of which nothing is known', () => Promise.reject(new Error('no answer')), false],
])('a zone %s', async (_, findZone, isTaken) => {
  const file = { fileName: 'a', ...FILE }
  expect(needsLookUp(file)).toBe(true)
  const changes = await lookUpZone(FILE, signal, findZone)
  expect(changes).toEqual({ isTaken })
  expect(needsLookUp({ ...file, ...changes })).toBe(false)
})

test('a name that is typed is looked for after a pause, and not if another one followed', async () => {
  const controller = new AbortController()
  const find = vi.fn<typeof noZone>(noZone)
  const first = lookUpZone({ zone: 'example.co', isTyped: true }, controller.signal, find)
  controller.abort()
  const last = lookUpZone({ zone: 'example.com', isTyped: true }, signal, find)
  expect(find).not.toHaveBeenCalled()
  expect(await Promise.all([first, last])).toEqual([undefined, { isTaken: false }])
  expect(find.mock.calls).toEqual([['example.com', signal]])
})
