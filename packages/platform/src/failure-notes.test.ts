import { expect, test } from 'vitest'
import { createFailureNotes } from './failure-notes.ts'

test('what fails again and again is noted at first, once a minute, and when it works again', () => {
  const entries: (string | number)[] = []
  let now = 0
  const notes = createFailureNotes<number>(
    { failed: (at) => void entries.push(at), worked: () => void entries.push('worked') },
    () => now,
  )
  const failAt = (at: number) => {
    now = at
    notes.failed(at)
  }
  notes.worked()
  for (const at of [0, 200, 59_999, 60_000, 60_200]) failAt(at)
  expect(entries).toEqual([0, 60_000])
  notes.worked()
  notes.worked()
  failAt(60_400)
  expect(entries).toEqual([0, 60_000, 'worked', 60_400])
})
