// The frames of SPOP: what HAProxy sends, and what an agent answers. HAProxy 2.6, doc/SPOE.txt, sections 3.2 to 3.4.
import type { Bytes } from '@zonereeve/expr'
import { OctetReader, OctetWriter, SPOP_STATUS, SpopError, type SpopPair, type SpopValue } from './values.ts'

export const FRAME = {
  /** All fragments after the first one. */
  unset: 0,
  haproxyHello: 1,
  haproxyDisconnect: 2,
  notify: 3,
  agentHello: 101,
  agentDisconnect: 102,
  ack: 103,
} as const

export interface SpopFrame {
  readonly type: number
  readonly isAborted: boolean
  readonly streamId: bigint
  readonly frameId: bigint
  readonly payload: Buffer
}

export interface SpopMessage {
  readonly name: Bytes
  readonly args: ReadonlyMap<Bytes, SpopValue>
}

/** Frames of every peer may have this size (section 3.2). */
export const MIN_FRAME_BYTES = 256
/** Octets of the length before each frame. */
export const LENGTH_BYTES = 4

const FLAG_BYTES = 4
const MAX_INTEGER_BYTES = 10
/** Of a frame, at most: its type, flags, and IDs. */
export const HEAD_BYTES = 1 + FLAG_BYTES + 2 * MAX_INTEGER_BYTES
const FINAL = 1
const ABORTED = 2
const SET_VAR = 1
const SET_VAR_ARGUMENTS = 3
const TRANSACTION = 2

/**
 * Reads one frame.
 *
 * @param octets without the length before it.
 * @throws SpopError also if the frame is a fragment.
 */
export function decodeFrame(octets: Buffer): SpopFrame {
  const reader = new OctetReader(octets)
  const type = reader.octet()
  const flags = reader.take(FLAG_BYTES).readUInt32BE()
  const [streamId, frameId] = [reader.integer(), reader.integer()]
  if (type === FRAME.unset || (flags & FINAL) === 0)
    throw new SpopError(SPOP_STATUS.fragmentation, 'fragmentation of payloads is not supported')
  return { type, isAborted: (flags & ABORTED) !== 0, streamId, frameId, payload: reader.rest() }
}

/** Writes a frame with the length before it. @returns its size without that. */
export function writeFrame(
  writer: OctetWriter,
  { type, isAborted, streamId, frameId, payload }: SpopFrame,
): number {
  const start = writer.length
  writer
    .octets(NO_LENGTH)
    .octet(type)
    .octets(isAborted ? FINAL_AND_ABORTED : FINAL_ONLY)
    .integer(streamId)
    .integer(frameId)
    .octets(payload)
  const bytes = writer.length - start - LENGTH_BYTES
  writer.overwrite(start, bytes)
  return bytes
}

const NO_LENGTH = new Uint8Array(LENGTH_BYTES)
const FINAL_ONLY = Uint8Array.of(0, 0, 0, FINAL)
const FINAL_AND_ABORTED = Uint8Array.of(0, 0, 0, FINAL | ABORTED)

/** The payload of HELLO and DISCONNECT frames. @throws SpopError */
export const decodePairs = (payload: Buffer): ReadonlyMap<Bytes, SpopValue> =>
  new OctetReader(payload).pairs()

/** The payload of a NOTIFY frame. @throws SpopError */
export function decodeMessages(payload: Buffer): SpopMessage[] {
  const reader = new OctetReader(payload)
  const messages: SpopMessage[] = []
  while (!reader.isAtEnd) {
    const name = reader.text()
    messages.push({ name, args: reader.pairs(reader.octet()) })
  }
  return messages
}

/** The payload of an ACK frame that sets variables of the transaction. HAProxy adds its prefix to their names. */
export function encodeVariables(variables: readonly SpopPair[]): Buffer {
  const writer = new OctetWriter()
  for (const [name, value] of variables) writer.octets(SET_TRANSACTION_VARIABLE).text(name).value(value)
  return writer.finish()
}

const SET_TRANSACTION_VARIABLE = Uint8Array.of(SET_VAR, SET_VAR_ARGUMENTS, TRANSACTION)
