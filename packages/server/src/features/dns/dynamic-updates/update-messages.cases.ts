// For tests: updates written as lines of text.
import {
  CLASS,
  encodeRdata,
  isTypeName,
  joinName,
  OPCODE,
  parseName,
  plainMessage,
  rdataFromText,
  typeCode,
  type Message,
  type ResourceRecord,
} from '@zonereeve/dns'

const CLASSES: Readonly<Record<string, number>> = {
  IN: CLASS.IN,
  ANY: CLASS.ANY,
  NONE: CLASS.NONE,
  CH: CLASS.CH,
}

/**
 * Builds an update of a zone. Lines are `name ttl class type rdata`, as in RFC 2136 §2.4 and §2.5; names without a
 * trailing dot are below the zone, `@` is the zone itself.
 */
export function updateOf(
  zone: string,
  { prerequisites = [], steps = [] }: { prerequisites?: readonly string[]; steps?: readonly string[] },
): Message {
  const record = (line: string): ResourceRecord => recordOf(line, zone)
  return plainMessage({
    id: 1,
    opcode: OPCODE.UPDATE,
    questions: [{ name: parseName(zone), type: 6, class: CLASS.IN }],
    answers: prerequisites.map(record),
    authorities: steps.map(record),
  })
}

function recordOf(line: string, zone: string): ResourceRecord {
  const [, name = '', ttl = '', recordClass = '', type = '', rdata = ''] =
    /^(\S+) (\d+) (\S+) (\S+) ?(.*)$/.exec(line) ?? []
  const origin = parseName(zone)
  return {
    name: name.endsWith('.') ? parseName(name) : joinName(name, origin),
    type: typeCode(type) ?? 0,
    class: CLASSES[recordClass] ?? Number(recordClass),
    ttl: Number(ttl),
    rdata:
      rdata !== '' && isTypeName(type)
        ? encodeRdata(type, rdataFromText(type, rdata, { origin }))
        : Uint8Array.from(Buffer.from(rdata, 'hex')),
  }
}
