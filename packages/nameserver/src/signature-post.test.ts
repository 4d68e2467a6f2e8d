import { expect, test } from 'vitest'
import type { SignedElsewhere } from './shared-zones.ts'
import { createSignaturePost, MAX_TOGETHER, MAX_UNSTORED } from './signature-post.ts'

function open() {
  const sent: number[] = []
  let callbacks: (() => void)[] = []
  const post = createSignaturePost(
    (made) => sent.push(made.length),
    (callback) => callbacks.push(callback),
  )
  const add = (count: number): void => {
    for (let i = 0; i < count; i += 1) post.add({ zoneId: 'zone' } as SignedElsewhere) // as posted
  }
  const endTurn = (): void => {
    const due = callbacks
    callbacks = []
    for (const callback of due) callback()
  }
  return { sent, add, endTurn, noteTaken: post.noteTaken }
}

test('signatures of one turn are one message, and no turn without signatures is', () => {
  const { sent, add, endTurn } = open()
  add(3)
  expect(sent).toEqual([])
  endTurn()
  expect(sent).toEqual([3])
  endTurn()
  add(2)
  endTurn()
  expect(sent).toEqual([3, 2])
})

test('a message has a limit; what is beyond it is in the next one', () => {
  const { sent, add, endTurn } = open()
  add(MAX_TOGETHER + 1)
  expect(sent).toEqual([MAX_TOGETHER])
  endTurn()
  expect(sent).toEqual([MAX_TOGETHER, 1])
})

test('when too many wait to be stored, further ones are not posted until some were taken', () => {
  const { sent, add, endTurn, noteTaken } = open()
  const total = (): number => sent.reduce((sum, count) => sum + count, 0)
  add(MAX_UNSTORED + 5)
  endTurn()
  expect(total()).toBe(MAX_UNSTORED)
  noteTaken(MAX_TOGETHER)
  add(MAX_TOGETHER + 1)
  endTurn()
  expect(total()).toBe(MAX_UNSTORED + MAX_TOGETHER)
})
