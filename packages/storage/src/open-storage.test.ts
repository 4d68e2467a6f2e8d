// What a storage delivers: the events of each commit, over a real database.
import { join } from 'node:path'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { ChangeEvent } from './change-event.ts'
import { openSqliteStorage } from './open-storage.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const event = (scopeId: string): ChangeEvent => ({
  topic: 'settings',
  scopeId,
  number: undefined,
  serial: null,
  kinds: [],
})

test.each<[name: string, positions: readonly (number | undefined)[], expected: number | undefined]>([
  ['of the last one', [5, 6], 6],
  ['of the last one in the log', [5, undefined], 5],
  ['of the last one in the log, between others', [undefined, 5, undefined], 5],
  ['none if none is in the log', [undefined, undefined], undefined],
  ['of the only one', [7], 7],
])(
  'events of a commit are delivered together, in order, with the position %s',
  async (_, positions, expected) => {
    const delivered: (readonly [string, number | undefined])[] = []
    const storage = await openSqliteStorage(join(scratchFolder(), 'zonereeve.db'), log, {
      deliver(events, position) {
        delivered.push([events.map(({ scopeId }) => scopeId).join(' '), position])
      },
    })
    onTestFinished(() => storage.close())
    await Promise.all(
      positions.map((position, index) =>
        storage.write(async (tx) => tx.publish(() => [event(`scope-${index}`)], position)),
      ),
    )
    expect(delivered).toEqual([[positions.map((__, index) => `scope-${index}`).join(' '), expected]])
  },
)
