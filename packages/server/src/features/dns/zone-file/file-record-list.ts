// The records of a zone file, packed until they are checked and written.
import {
  elementAt,
  type Name,
  NO_ATTRIBUTES,
  type RecordAttributes,
  type ZoneFileRecord,
} from '@zonereeve/dns'
import { PackedList } from '@zonereeve/platform'

export const createFileRecordList = (): PackedList<ZoneFileRecord> => {
  /** Few records have any: the others have number 0. */
  const attributes: RecordAttributes[] = [NO_ATTRIBUTES]
  return new PackedList<ZoneFileRecord>({
    numbers: 4,
    strings: 1,
    pack: ({ ttlSeconds, type, line, attributes: own, name, rdata }) => ({
      numbers: [ttlSeconds, type, line, own === NO_ATTRIBUTES ? 0 : attributes.push(own) - 1],
      strings: [name],
      octets: rdata,
    }),
    unpack: ({ numbers, strings, octets }) => ({
      name: elementAt(strings, 0) as Name, // as packed
      ttlSeconds: elementAt(numbers, 0),
      type: elementAt(numbers, 1),
      line: elementAt(numbers, 2),
      attributes: elementAt(attributes, elementAt(numbers, 3)),
      rdata: octets,
    }),
  })
}
