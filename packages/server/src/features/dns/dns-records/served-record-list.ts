// The records of a large change, until they are published.
import { elementAt, type Name } from '@zonereeve/dns'
import { PackedList, type ItemCodec } from '@zonereeve/platform'
import type { ServedRecord } from '@zonereeve/storage'

/** Records are added, and then read, any number of times. */
export const createServedRecordList = (): PackedList<ServedRecord> => new PackedList(servedRecordCodec())

function servedRecordCodec(): ItemCodec<ServedRecord> {
  const types: string[] = []
  // Very many records have the same few settings, mostly the same object.
  const settings: ServedRecord['settings'][] = []
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
