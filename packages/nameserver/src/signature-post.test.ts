import { expect, test } from 'vitest'
import { type Rrset, synthesiseRrset, TYPE } from './rrset.ts'
import { SignatureReader } from './signature-batch.ts'
import {
  createSignaturePost,
  MAX_OCTETS_TOGETHER,
  MAX_TOGETHER,
  MAX_UNSTORED,
  type PostedSignatures,
} from './signature-post.ts'

function open() {
  const posted: PostedSignatures[] = []
  const sent: number[] = []
  const forgotten: string[] = []
  let callbacks: (() => void)[] = []
  const post = createSignaturePost(
    (message) => {
      posted.push(message)
      sent.push(message.zones.reduce((sum, _, zone) => sum + typesOf(message, zone).length, 0))
    },
    (key) => forgotten.push(key),
    (callback) => callbacks.push(callback),
  )
  const addOne = (key: string, zoneId = 'zone', signing = 1, given: number | Rrset = 4): void => {
    const rrset = typeof given === 'number' ? synthesiseRrset(TYPE.A, 60, [new Uint8Array(given)]) : given
    const signed = { rrset, recordOctets: 0, signatureCount: 0, usableFrom: 0, refreshAt: 1000 }
    post.add({ zoneId, signing, key, name: Uint8Array.of(1, 0x61), signed })
  }
  const add = (count: number): void => {
    for (let i = 0; i < count; i += 1) addOne(String(i))
  }
  const endTurn = (): void => {
    const due = callbacks
    callbacks = []
    for (const callback of due) callback()
  }
  return { posted, sent, forgotten, add, addOne, endTurn, noteTaken: post.noteTaken }
}

function typesOf({ batch }: PostedSignatures, zone: number): number[] {
  const reader = new SignatureReader(batch)
  const types: number[] = []
  while (reader.next(zone)) types.push(reader.type)
  return types
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
  noteTaken([])
  add(MAX_TOGETHER + 1)
  endTurn()
  expect(total()).toBe(MAX_UNSTORED + MAX_TOGETHER)
})

test('a message also ends with the signature that makes it too long', () => {
  const { sent, addOne, endTurn } = open()
  for (const key of 'abc') addOne(key, 'zone', 1, MAX_OCTETS_TOGETHER / 2)
  expect(sent).toEqual([2])
  endTurn()
  expect(sent).toEqual([2, 1])
})

test('each zone and each of its keys is named once in a message', () => {
  const { posted, addOne, endTurn } = open()
  for (const [zoneId, signing] of [
    ['a', 1],
    ['b', 2],
    ['a', 1],
    ['a', 3],
  ] as const)
    addOne('k', zoneId, signing)
  endTurn()
  const [message] = posted
  expect(message?.zones).toEqual([
    { zoneId: 'a', signing: 1 },
    { zoneId: 'b', signing: 2 },
    { zoneId: 'a', signing: 3 },
  ])
  expect(message?.zones.map((_, zone) => typesOf(message, zone).length)).toEqual([2, 1, 1])
})

test('signatures are forgotten when they are stored, in the order of the messages, and not if they could not be', () => {
  const { forgotten, addOne, endTurn, noteTaken } = open()
  for (const key of ['first', 'second', 'third']) {
    addOne(key)
    endTurn()
  }
  expect(forgotten).toEqual([])
  noteTaken([])
  expect(forgotten).toEqual(['first'])
  noteTaken([0])
  noteTaken([])
  expect(forgotten).toEqual(['first', 'third'])
})

test('of a message with several zones, those of the zones that were stored are forgotten', () => {
  const { forgotten, addOne, endTurn, noteTaken } = open()
  for (const [key, zoneId] of ['a1', 'b1', 'c1', 'a2', 'b2'].map((each) => [each, each.charAt(0)] as const))
    addOne(key, zoneId)
  endTurn()
  noteTaken([1])
  expect(forgotten).toEqual(['a1', 'c1', 'a2'])
})

test('signatures that cannot be written do not count as waiting', () => {
  const { sent, add, addOne, endTurn } = open()
  const unwritable = { ...synthesiseRrset(TYPE.A, 60, []), wire: undefined as never }
  for (let i = 0; i < MAX_UNSTORED; i += 1)
    expect(() => addOne('x', 'zone', 1, unwritable)).toThrow(TypeError)
  add(1)
  endTurn()
  expect(sent).toEqual([1])
})
