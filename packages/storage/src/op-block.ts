// Operations of a large change set, packed in blocks.
import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import type { ChangeOp } from './change-event.ts'
import { checksum } from './checksum.ts'
import { throwDamagedRow } from './failures.ts'
import { Utf8Writer } from './utf8-writer.ts'

/** Operations that follow each other in a change set, as they are stored. */
export interface OpBlock {
  readonly position: number
  /** Of the first. */
  readonly ordinal: number
  readonly operations: number
  readonly kinds: readonly string[]
  readonly packed: Uint8Array
  readonly checksum: number
}

const deflate = promisify(deflateRaw)
/** Ends each member of an operation. JSON cannot contain it. */
const END = '\0'
const ABSENT = '\u0001'
const MEMBERS = 4
/** The texts of a block are the same except for names and values: more effort saves nothing. */
const LEVEL = 3

/** Operations that are not packed yet. */
interface UnpackedBlock {
  operations: number
  readonly members: Utf8Writer
  readonly kinds: Set<string>
}

export const emptyOpBlock = (): UnpackedBlock => ({
  operations: 0,
  members: new Utf8Writer(),
  kinds: new Set(),
})

export function addToOpBlock(block: UnpackedBlock, { kind, objectId, before, after }: ChangeOp): void {
  const separator = block.operations === 0 ? '' : END
  block.members.add(`${separator}${kind}${END}${objectId}${END}${before ?? ABSENT}${END}${after ?? ABSENT}`)
  block.operations += 1
  block.kinds.add(kind)
}

export async function packOps(
  position: number,
  ordinal: number,
  { operations, members, kinds }: UnpackedBlock,
): Promise<OpBlock> {
  const packed = await deflate(members.written, { level: LEVEL })
  return { position, ordinal, operations, kinds: [...kinds], packed, checksum: checksum(packed) }
}

/** @throws DomainError: the block is damaged */
export function unpackOps({
  position,
  ordinal,
  operations,
  packed,
  checksum: sum,
}: Omit<OpBlock, 'kinds'>): ChangeOp[] {
  if (sum !== checksum(packed)) throwDamagedRow(`operations from ${ordinal} on of change ${position}`)
  const members = inflateRawSync(packed).toString().split(END)
  return Array.from({ length: operations }, (_, index) => {
    const [kind, objectId, before, after] = members.slice(index * MEMBERS, (index + 1) * MEMBERS)
    if (kind === undefined || objectId === undefined || before === undefined || after === undefined)
      throw new Error(`operation ${ordinal + index} of change ${position} is incomplete`)
    return { kind, objectId, before: presentText(before), after: presentText(after) }
  })
}

const presentText = (member: string): string | null => (member === ABSENT ? null : member)
