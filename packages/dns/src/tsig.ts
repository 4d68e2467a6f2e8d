// Transaction signatures: a shared secret proves who sent a message and that it was not changed (RFC 8945).
//
// This package computes no hashes: the HMAC is passed in by parameter. Signing and checking work on the octets of
// whole messages, because a message that is parsed and written again may differ.

import { byteAt, putUint16, uint16At } from './checked-reads.ts'
import { CLASS, META_TYPE, TSIG_ERROR } from './codes.ts'
import { WireError } from './errors.ts'
import { nameToWire, nameWireLength, parseName } from './name.ts'
import type { Name } from './name.ts'
import { MAX_MESSAGE_OCTETS, Reader, Writer } from './wire.ts'

/** MAC algorithms (RFC 8945 §6); hmac-sha1 only for old peers. The value is the length of a full MAC in octets. */
export const TSIG_ALGORITHMS = {
  'hmac-sha1': 20,
  'hmac-sha256': 32,
  'hmac-sha384': 48,
  'hmac-sha512': 64,
} as const

export type TsigAlgorithm = keyof typeof TSIG_ALGORITHMS

/** Returns the MAC of the concatenated parts. */
export type Hmac = (algorithm: TsigAlgorithm, secret: Uint8Array, parts: readonly Uint8Array[]) => Uint8Array

export interface TsigKey {
  readonly name: Name
  readonly algorithm: TsigAlgorithm
  readonly secret: Uint8Array
}

/** A TSIG record as it stands in a message (RFC 8945 §4.2). */
export interface Tsig {
  readonly keyName: Name
  /** As named by the sender; may be unknown. */
  readonly algorithmName: Name
  /** Seconds since 1970, 48 bits. */
  readonly timeSigned: number
  /** Allowed clock difference in seconds. */
  readonly fudge: number
  readonly mac: Uint8Array
  readonly originalId: number
  /** One of TSIG_ERROR, or 0. */
  readonly error: number
  readonly otherData: Uint8Array
}

/** A message without its signature, and the signature. */
export interface SignedMessage {
  /** As it was signed: with the original ID and without the TSIG record. */
  readonly unsigned: Uint8Array
  readonly tsig: Tsig
}

/** Default allowed clock difference in seconds (RFC 8945 §10). */
export const TSIG_FUDGE_SECONDS = 300

/** Maximum unsigned messages in a row in a signed stream (RFC 8945 §5.3.1). */
export const MAX_UNSIGNED_MESSAGES = 99

/** Minimum octets of a truncated MAC of any algorithm (RFC 8945 §5.2.2.1). */
const MIN_MAC_OCTETS = 10

const HEADER_OCTETS = 12

/** The algorithm of a name in a message or a configuration; undefined if it is unknown. */
export function tsigAlgorithm(name: string): TsigAlgorithm | undefined {
  const text = name.toLowerCase().replace(/\.$/, '')
  return Object.hasOwn(TSIG_ALGORITHMS, text) ? (text as TsigAlgorithm) : undefined // a key of the table
}

/**
 * Removes the signature from a message; undefined if there is none.
 * @throws WireError for a malformed message, or a TSIG record that is not the last (RFC 8945 §5.2) or not of class
 * ANY
 */
export function readTsig(message: Uint8Array): SignedMessage | undefined {
  const reader = new Reader(message)
  reader.bytes(4)
  const questions = reader.u16()
  const plain = reader.u16() + reader.u16()
  const additionals = reader.u16()
  for (let i = 0; i < questions; i += 1) {
    reader.name()
    reader.bytes(4)
  }
  let found: SignedMessage | undefined
  for (let i = 0; i < plain + additionals; i += 1) {
    const start = reader.offset
    if (found !== undefined) throw new WireError('wire.tsig', start, 'records follow the TSIG record')
    const name = reader.name()
    const type = reader.u16()
    const recordClass = reader.u16()
    const ttl = reader.u32()
    const rdata = reader.part(reader.u16())
    if (type !== META_TYPE.TSIG) continue
    if (i < plain || recordClass !== CLASS.ANY || ttl !== 0)
      throw new WireError('wire.tsig', start, 'a TSIG record is additional, of class ANY and TTL 0')
    const tsig = readRdata(name, rdata)
    found = { unsigned: withoutTsig(message, start, additionals, tsig.originalId), tsig }
  }
  reader.done()
  return found
}

/** Octets that signing adds to a message. */
export function tsigOctets({ name, algorithm }: TsigKey): number {
  const fixed = 10 + 16
  return nameWireLength(name) + fixed + nameWireLength(parseName(algorithm)) + TSIG_ALGORITHMS[algorithm]
}

export type TsigRefusal = (typeof TSIG_ERROR)['BADSIG' | 'BADKEY' | 'BADTIME']

export type TsigCheck =
  | { readonly kind: 'valid'; readonly key: TsigKey }
  /** `key` if only the time was wrong: then the refusal is signed (RFC 8945 §5.2.3). */
  | { readonly kind: 'refused'; readonly error: TsigRefusal; readonly key: TsigKey | undefined }

/**
 * Checks the signature of a request (RFC 8945 §5.2): key, MAC, time, in this order.
 * @throws WireError for a MAC of an invalid length, which is a FORMERR (§5.2.2.1)
 */
export function checkTsig(
  { unsigned, tsig }: SignedMessage,
  {
    findKey,
    hmac,
    nowSeconds,
  }: {
    readonly findKey: (name: Name, algorithm: TsigAlgorithm) => TsigKey | undefined
    readonly hmac: Hmac
    readonly nowSeconds: number
  },
): TsigCheck {
  const algorithm = tsigAlgorithm(tsig.algorithmName)
  const key = algorithm === undefined ? undefined : findKey(tsig.keyName, algorithm)
  if (key === undefined) return { kind: 'refused', error: TSIG_ERROR.BADKEY, key: undefined }
  const mac = hmac(key.algorithm, key.secret, [unsigned, variables(key, tsig)])
  if (!isMacOf(mac, tsig.mac)) return { kind: 'refused', error: TSIG_ERROR.BADSIG, key: undefined }
  if (!isTimely(tsig, nowSeconds)) return { kind: 'refused', error: TSIG_ERROR.BADTIME, key }
  return { kind: 'valid', key }
}

/** Signs the messages of one answer one after another (RFC 8945 §5.3, §5.3.1). */
export interface TsigSigner {
  /** @throws WireError `wire.too-long` if the signature does not fit */
  sign(message: Uint8Array, nowSeconds: number): Uint8Array
  /** The last MAC. */
  readonly mac: Uint8Array
}

/** @param requestMac the MAC of the answered request; undefined for a request. */
export function createTsigSigner(
  key: TsigKey,
  { hmac, requestMac }: { readonly hmac: Hmac; readonly requestMac?: Uint8Array },
): TsigSigner {
  let prior = requestMac
  let isFirst = true
  return {
    sign(message, nowSeconds) {
      const tsig = newTsig(key, message, nowSeconds)
      const mac = hmac(key.algorithm, key.secret, [
        ...lengthPrefixed(prior),
        message,
        isFirst ? variables(key, tsig) : timers(tsig),
      ])
      prior = mac
      isFirst = false
      return withTsig(message, key.name, { ...tsig, mac })
    },
    get mac() {
      return prior ?? new Uint8Array(0)
    },
  }
}

/**
 * Signs the refusal of a signed request (RFC 8945 §5.3.2). BADTIME is signed and has the server's time; BADSIG and
 * BADKEY have no MAC, because there is no shared key.
 */
export function signRefusal(
  message: Uint8Array,
  request: Tsig,
  { error, key }: { readonly error: TsigRefusal; readonly key: TsigKey | undefined },
  { hmac, nowSeconds }: { readonly hmac: Hmac; readonly nowSeconds: number },
): Uint8Array {
  const isTime = error === TSIG_ERROR.BADTIME
  const tsig: Tsig = {
    ...request,
    timeSigned: isTime ? request.timeSigned : nowSeconds,
    mac: new Uint8Array(0),
    originalId: idOf(message),
    error,
    otherData: isTime ? octets48(nowSeconds) : new Uint8Array(0),
  }
  if (key === undefined) return withTsig(message, request.keyName, tsig)
  const mac = hmac(key.algorithm, key.secret, [...lengthPrefixed(request.mac), message, variables(key, tsig)])
  return withTsig(message, request.keyName, { ...tsig, mac })
}

/** Why a signed answer is rejected. */
export type TsigFault = 'unsigned' | 'other_key' | 'bad_mac' | 'bad_time' | 'refused'

/** Verifies a signed answer of one or more messages on the client's side. */
export interface TsigVerifier {
  /** Checks the next message of the answer. @throws WireError for a malformed one */
  take(message: Uint8Array, nowSeconds: number): TsigFault | undefined
  /** Whether the last message was signed: only then may the answer end (RFC 8945 §5.3.1). */
  readonly isSettled: boolean
}

export function createTsigVerifier(
  key: TsigKey,
  { hmac, requestMac }: { readonly hmac: Hmac; readonly requestMac: Uint8Array },
): TsigVerifier {
  let prior = requestMac
  let isFirst = true
  let waiting: Uint8Array[] = []

  return {
    take(message, nowSeconds) {
      const signed = readTsig(message)
      if (signed === undefined) {
        if (isFirst || waiting.length >= MAX_UNSIGNED_MESSAGES) return 'unsigned'
        waiting.push(message)
        return undefined
      }
      const fault = check(signed, nowSeconds)
      if (fault !== undefined) return fault
      prior = signed.tsig.mac
      isFirst = false
      waiting = []
      return undefined
    },
    get isSettled() {
      return !isFirst && waiting.length === 0
    },
  }

  function check({ unsigned, tsig }: SignedMessage, nowSeconds: number): TsigFault | undefined {
    if (tsig.keyName !== key.name || tsigAlgorithm(tsig.algorithmName) !== key.algorithm) return 'other_key'
    if (tsig.error !== 0 && tsig.mac.length === 0) return 'refused'
    const last = isFirst ? variables(key, tsig) : timers(tsig)
    const mac = hmac(key.algorithm, key.secret, [...lengthPrefixed(prior), ...waiting, unsigned, last])
    if (!isMacOf(mac, tsig.mac)) return 'bad_mac'
    if (!isTimely(tsig, nowSeconds)) return 'bad_time'
    return tsig.error === 0 ? undefined : 'refused'
  }
}

/** Whether `sent` is the full or truncated MAC. @throws WireError for a length that is never allowed */
function isMacOf(mac: Uint8Array, sent: Uint8Array): boolean {
  if (sent.length > mac.length || sent.length < Math.max(MIN_MAC_OCTETS, mac.length / 2))
    throw new WireError('wire.tsig', 0, `a MAC of ${sent.length} octets is too short or too long`)
  // All octets are compared, so that the duration does not reveal how many were right.
  let difference = 0
  for (const [at, octet] of sent.entries()) difference |= octet ^ byteAt(mac, at)
  return difference === 0
}

const isTimely = ({ timeSigned, fudge }: Tsig, nowSeconds: number): boolean =>
  Math.abs(nowSeconds - timeSigned) <= fudge

function newTsig({ algorithm, name }: TsigKey, message: Uint8Array, nowSeconds: number): Tsig {
  return {
    keyName: name,
    algorithmName: parseName(algorithm),
    timeSigned: nowSeconds,
    fudge: TSIG_FUDGE_SECONDS,
    mac: new Uint8Array(0),
    originalId: idOf(message),
    error: 0,
    otherData: new Uint8Array(0),
  }
}

/** TSIG variables of a MAC (RFC 8945 §4.3.3). */
function variables({ name, algorithm }: TsigKey, tsig: Tsig): Uint8Array {
  const writer = new Writer()
  writer.bytes(nameToWire(name))
  writer.u16(CLASS.ANY)
  writer.u32(0)
  writer.bytes(nameToWire(parseName(algorithm)))
  writer.bytes(timers(tsig))
  writer.u16(tsig.error)
  writer.counted(() => writer.bytes(tsig.otherData))
  return writer.finish()
}

/** Replaces the variables in the MAC of later messages (RFC 8945 §5.3.1). */
function timers({ timeSigned, fudge }: Tsig): Uint8Array {
  const writer = new Writer()
  writer.bytes(octets48(timeSigned))
  writer.u16(fudge)
  return writer.finish()
}

/** A MAC with its length before it (RFC 8945 §4.3.1). */
function lengthPrefixed(mac: Uint8Array | undefined): readonly Uint8Array[] {
  return mac === undefined ? [] : [Uint8Array.of(mac.length >> 8, mac.length & 0xff), mac]
}

function octets48(value: number): Uint8Array {
  const writer = new Writer()
  writer.u16(Math.floor(value / 2 ** 32))
  writer.u32(value % 2 ** 32)
  return writer.finish()
}

const idOf = (message: Uint8Array): number => uint16At(message, 0)

function readRdata(keyName: Name, reader: Reader): Tsig {
  const tsig = {
    keyName,
    algorithmName: reader.name(),
    timeSigned: reader.u16() * 2 ** 32 + reader.u32(),
    fudge: reader.u16(),
    mac: reader.bytes(reader.u16()),
    originalId: reader.u16(),
    error: reader.u16(),
    otherData: reader.bytes(reader.u16()),
  }
  reader.done()
  return tsig
}

function withoutTsig(
  message: Uint8Array,
  start: number,
  additionals: number,
  originalId: number,
): Uint8Array {
  const unsigned = new Uint8Array(message.subarray(0, start))
  putUint16(unsigned, 0, originalId)
  putUint16(unsigned, 10, additionals - 1)
  return unsigned
}

function withTsig(message: Uint8Array, keyName: Name, tsig: Tsig): Uint8Array {
  if (message.length < HEADER_OCTETS) throw new WireError('wire.truncated', 0, 'there is no header')
  const writer = new Writer()
  writer.bytes(nameToWire(keyName))
  writer.u16(META_TYPE.TSIG)
  writer.u16(CLASS.ANY)
  writer.u32(0)
  writer.counted(() => {
    writer.bytes(nameToWire(tsig.algorithmName))
    writer.bytes(timers(tsig))
    writer.counted(() => writer.bytes(tsig.mac))
    writer.u16(tsig.originalId)
    writer.u16(tsig.error)
    writer.counted(() => writer.bytes(tsig.otherData))
  })
  const record = writer.finish()
  const signed = new Uint8Array(message.length + record.length)
  if (signed.length > MAX_MESSAGE_OCTETS) throw new WireError('wire.too-long', 0, 'no room for a signature')
  signed.set(message)
  signed.set(record, message.length)
  putUint16(signed, 10, uint16At(message, 10) + 1)
  return signed
}
