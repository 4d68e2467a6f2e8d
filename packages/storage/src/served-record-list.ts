// The records of a large change, until they are published.
import { elementAt, type Name } from '@zonereeve/dns'
import { PackedList, type ItemCodec, type PackedMemory } from '@zonereeve/platform'
import type { RecordsDelta, ServedRecord, ServedRecords } from './change-event.ts'

/** What records of a list have in common: very many have the same few settings, mostly the same object. */
interface SharedValues {
  readonly types: string[]
  readonly settings: ServedRecord['settings'][]
}

/** A list on its way to another thread. */
export interface SentRecordList {
  readonly shared: SharedValues
  readonly memory: PackedMemory
}

/** Records are added, and then read, any number of times. */
export class ServedRecordList extends PackedList<ServedRecord> {
  readonly #shared: SharedValues

  /** @param sent by another thread: nothing is added any more. */
  constructor({ shared, memory }: Partial<SentRecordList> = {}) {
    const values = shared ?? { types: [], settings: [] }
    super(servedRecordCodec(values), memory)
    this.#shared = values
  }

  get sent(): SentRecordList {
    return { shared: this.#shared, memory: this.memory }
  }
}

/** A delta on its way to another thread. Its lists are undefined for a repair, which has none. */
export type SentDelta = Omit<RecordsDelta, 'removed' | 'added'> & {
  readonly [List in 'removed' | 'added']: SentRecordList | undefined
}

/** @returns also the memory of its lists, which moves. */
export function sendDelta(delta: RecordsDelta): { readonly sent: SentDelta; readonly moved: ArrayBuffer[] } {
  const sentList = (list: ServedRecords) => (list instanceof ServedRecordList ? list.sent : undefined)
  const [removed, added] = [sentList(delta.removed), sentList(delta.added)]
  const lists = [removed, added].filter((list) => list !== undefined)
  return { sent: { ...delta, removed, added }, moved: lists.flatMap(({ memory }) => memory.blocks) }
}

export function receiveDelta({ removed, added, ...delta }: SentDelta): RecordsDelta {
  const listOf = (list: SentRecordList | undefined) => (list === undefined ? [] : receiveList(list))
  return { ...delta, removed: listOf(removed), added: listOf(added) }
}

export const receiveList = (sent: SentRecordList): ServedRecords => new ServedRecordList(sent)

export const createServedRecordList = (): ServedRecordList => new ServedRecordList()

function servedRecordCodec({ types, settings }: SharedValues): ItemCodec<ServedRecord> {
  const settingsKeys: string[] = []
  const numberOfSettings = (given: ServedRecord['settings']): number => {
    const known = settings.indexOf(given)
    if (known !== -1) return known
    const number = numberIn(settingsKeys, JSON.stringify(given))
    settings[number] ??= given
    return number
  }
  return {
    numbers: 4,
    strings: 2,
    pack: (record) => ({
      numbers: [
        record.ttlSeconds,
        numberIn(types, record.type),
        numberOfSettings(record.settings),
        Number(record.proxied),
      ],
      strings: [record.id, record.name],
      octets: record.rdata,
    }),
    unpack: ({ numbers, strings, octets }) => ({
      id: elementAt(strings, 0),
      name: elementAt(strings, 1) as Name, // as packed
      type: elementAt(types, elementAt(numbers, 1)),
      ttlSeconds: elementAt(numbers, 0),
      rdata: octets,
      proxied: elementAt(numbers, 3) === 1,
      settings: elementAt(settings, elementAt(numbers, 2)),
    }),
  }
}

/** The index of a value in a short list, to which it is added. */
function numberIn(values: string[], value: string): number {
  const known = values.indexOf(value)
  return known === -1 ? values.push(value) - 1 : known
}
