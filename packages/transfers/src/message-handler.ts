// Handles signed messages, transfers and notifications: identifies the sender first, then processes the request.
import {
  checkTsig,
  createTsigSigner,
  decodeMessage,
  decodeRdata,
  encodeMessage,
  META_TYPE,
  OPCODE,
  RCODE,
  rcodeText,
  readTsig,
  signRefusal,
  tsigOctets,
  WireError,
  type EdnsOption,
  type Message,
  type Name,
  type SignedMessage,
  type TsigKey,
  type TsigSigner,
  byteAt,
} from '@zonereeve/dns'
import {
  EXPIRE_OCTETS,
  EXPIRE_OPTION,
  expireOption,
  plainAddress,
  questionOctets,
  withOption,
  type Answered,
  type MessageHandler,
  type Messages,
  type NameserverMetrics,
  type Outgoing,
  type Peer,
  type Respond,
  type TransferPolicies,
  type Zone,
  type ZoneTable,
} from '@zonereeve/nameserver'
import type { Clock, Log } from '@zonereeve/platform'
import { hmac } from './hmac.ts'
import type { PeersProgress } from './peer-progress.ts'
import { createRefusalLog } from './refusal-log.ts'

const SOA = 6
const HEADER_OCTETS = 12
const MIN_PAYLOAD_OCTETS = 512
const MAX_PAYLOAD_OCTETS = 1232
const MAX_OCTETS = 65_535

export interface MessageHandlerDeps {
  readonly table: ZoneTable
  readonly policies: Pick<TransferPolicies, 'findKey' | 'findPeer' | 'mayTransfer'>
  readonly outgoing: Pick<Outgoing, 'transfer'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Counts answers that bypass the responder, which counts its own. */
  readonly metrics: Pick<NameserverMetrics, 'countQuery'>
  /** Milliseconds since 1970 at which a secondary zone expires; undefined for primary zones. */
  readonly expiresAtMillis?: (zoneId: string) => number | undefined
  /** Called with notifications. @returns whether the sender is a primary of the zone. */
  readonly heard?: (zone: Name, address: string, key: TsigKey | undefined) => boolean
  /** Called with each transfer that a known peer is granted. */
  readonly requested?: PeersProgress['recordRequest']
  /** Called when a peer has begun to transfer a zone, or has queried its serial. */
  readonly observe?: (event: { readonly zoneId: string; readonly kind: 'checked' | 'transferred' }) => void
}

/** A message whose sender is known, with its key if it was signed. */
interface ReceivedMessage {
  readonly octets: Uint8Array
  readonly message: Message
  readonly peer: Peer
  readonly address: string
  readonly key: TsigKey | undefined
}

export function createMessageHandler(deps: MessageHandlerDeps, respond: Respond): MessageHandler {
  const { table, policies, outgoing, clock, log, metrics } = deps
  const out = new Uint8Array(MAX_OCTETS)
  const logRefusal = createRefusalLog({ log, clock })
  const nowSeconds = (): number => Math.floor(clock.now() / 1000)

  return {
    answer(message, peer) {
      try {
        return answer(message, peer)
      } catch (error) {
        if (error instanceof WireError) return countAnswer(headerAlone(message, RCODE.FORMERR), peer)
        log.error({ err: error }, 'dns exchange failed')
        return countAnswer(headerAlone(message, RCODE.SERVFAIL), peer)
      }
    },
  }

  function answer(octets: Uint8Array, peer: Peer): Answered {
    const signed = readTsig(octets)
    if (signed === undefined) return answerTo(octets, peer, undefined)
    const check = checkTsig(signed, { findKey: policies.findKey, hmac, nowSeconds: nowSeconds() })
    if (check.kind === 'valid') {
      const requestMac = signed.tsig.mac
      const answered = answerTo(signed.unsigned, peer, check.key)
      return signAnswer(answered, createTsigSigner(check.key, { hmac, requestMac }), octets)
    }
    const { keyName } = signed.tsig
    logRefusal({ address: peer.address, keyName, error: check.error }, 'dns signature refused')
    return countAnswer(rejectSigned(signed, octets, check), peer)
  }

  function rejectSigned(
    { unsigned, tsig }: SignedMessage,
    octets: Uint8Array,
    check: Parameters<typeof signRefusal>[2],
  ): Uint8Array {
    const refusal = withIdOf(octets, replyTo(decodeMessage(unsigned), RCODE.NOTAUTH))
    return signRefusal(refusal, tsig, check, { hmac, nowSeconds: nowSeconds() })
  }

  function signAnswer(answered: Answered, signer: TsigSigner, octets: Uint8Array): Answered {
    if (answered === undefined) return undefined
    const sign = (message: Uint8Array) => signer.sign(withIdOf(octets, message), nowSeconds())
    return answered instanceof Uint8Array ? sign(answered) : mapMessages(answered, sign)
  }

  function answerTo(octets: Uint8Array, peer: Peer, key: TsigKey | undefined): Answered {
    const message = decodeMessage(octets)
    const received = { octets, message, peer, address: plainAddress(peer.address), key }
    if (message.opcode === OPCODE.NOTIFY) return countAnswer(hear(received), peer, zoneOf(message))
    const type = message.questions[0]?.type
    const isTransfer = message.opcode === OPCODE.QUERY && message.questions.length === 1
    if (isTransfer && (type === META_TYPE.AXFR || type === META_TYPE.IXFR))
      return countAnswer(transfer(received), peer, zoneOf(message))
    return answerData(received)
  }

  function zoneOf({ questions: [question] }: Message): Zone | undefined {
    return question?.class === 1 ? table.zoneAt(question.name) : undefined
  }

  /** A transfer of several messages counts as one answer. */
  function countAnswer(answered: Answered, { transport }: Peer, zone?: Zone): Answered {
    const rcode = answered instanceof Uint8Array ? byteAt(answered, 3) & 0xf : RCODE.NOERROR
    metrics.countQuery(transport, rcodeText(rcode), zone)
    return answered
  }

  /** A notification from an address that is no primary of the zone is rejected. */
  function hear({ message, address, key }: ReceivedMessage): Answered {
    const [question] = message.questions
    const isDefault = message.questions.length === 1 && question?.type === SOA && question.class === 1
    if (isDefault && deps.heard?.(question.name, address, key) === true)
      return replyTo(message, RCODE.NOERROR, true)
    logRefusal({ address, keyName: key?.name, zone: question?.name }, 'notify refused')
    return replyTo(message, RCODE.REFUSED)
  }

  function transfer(received: ReceivedMessage): Answered {
    const { message, peer, address, key } = received
    const [question] = message.questions
    if (question === undefined) return replyTo(message, RCODE.FORMERR)
    const about = { address, keyName: key?.name, zone: question.name, type: question.type }
    const zone = zoneOf(message)
    if (zone === undefined) return replyTo(message, RCODE.NOTAUTH)
    if (zone.isExpired) return replyTo(message, RCODE.SERVFAIL)
    const isUdp = peer.transport === 'udp'
    const isWhole = isUdp && question.type === META_TYPE.AXFR // AXFR has no end that UDP could show (RFC 5936 §4.2)
    if (!policies.mayTransfer(zone.zoneId, address, key) || isWhole || peer.transport === 'https') {
      logRefusal(about, 'zone transfer refused')
      return replyTo(message, RCODE.REFUSED)
    }
    const sent = outgoing.transfer(zone, requestOf(received, isUdp), expireOptions(message, zone))
    if (sent.kind === 'busy') {
      log.warn(about, 'too many zone transfers')
      return replyTo(message, RCODE.SERVFAIL)
    }
    const kind = sent.form === 'current' ? 'checked' : 'transferred'
    deps.observe?.({ zoneId: zone.zoneId, kind })
    notePeer(received, zone, sent.form === 'current' ? undefined : zone.serial)
    log.info({ ...about, serial: zone.serial, form: sent.form }, 'zone transfer')
    return isUdp ? sent.messages.next().value : sent.messages
  }

  function notePeer(
    { message, address, key }: ReceivedMessage,
    { zoneId }: Zone,
    sentSerial: number | undefined,
  ): void {
    const peerId = policies.findPeer(zoneId, address, key)?.id
    const soa = message.authorities.find(({ type }) => type === SOA)
    const peerSerial = soa && decodeRdata('SOA', soa.rdata).serial
    if (peerId !== undefined) deps.requested?.({ zoneId, peerId, peerSerial, sentSerial })
  }

  function requestOf({ octets, message, key }: ReceivedMessage, isUdp: boolean) {
    return {
      message,
      question: questionOctets(octets),
      udpOctets: isUdp ? udpOctets(message) : undefined,
      reservedOctets: key === undefined ? 0 : tsigOctets(key),
      udpPayloadOctets: MAX_PAYLOAD_OCTETS,
    }
  }

  /** Answers an ordinary query like the responder, plus the requested EDNS options. */
  function answerData({ octets, message, peer, key }: ReceivedMessage): Answered {
    const reserved = (key === undefined ? 0 : tsigOctets(key)) + EXPIRE_OCTETS
    const length = respond(octets, octets.length, peer, out, reserved)
    if (length === 0) return undefined
    const reply = new Uint8Array(out.subarray(0, length))
    const [question] = message.questions
    const zone = question?.type === SOA ? table.zoneAt(question.name) : undefined
    if (zone === undefined) return reply
    if (key !== undefined) deps.observe?.({ zoneId: zone.zoneId, kind: 'checked' })
    const [expire] = expireOptions(message, zone)
    return expire === undefined || !isAuthoritative(reply) ? reply : withOption(reply, expire)
  }

  /**
   * Adds EXPIRE if the query asks for it (RFC 7314 §3): on a primary the value of the SOA, on a secondary the
   * remaining time.
   */
  function expireOptions({ edns }: Message, { zoneId, expireSeconds }: Zone): EdnsOption[] {
    if (edns?.options.some(({ code }) => code === EXPIRE_OPTION) !== true) return []
    const expiresAtMillis = deps.expiresAtMillis?.(zoneId)
    if (expiresAtMillis === undefined) return [expireOption(expireSeconds)]
    return [expireOption(Math.max(0, Math.floor((expiresAtMillis - clock.now()) / 1000)))]
  }
}

function udpOctets({ edns }: Message): number {
  if (edns === undefined) return MIN_PAYLOAD_OCTETS
  return Math.min(Math.max(edns.udpPayloadSize, MIN_PAYLOAD_OCTETS), MAX_PAYLOAD_OCTETS)
}

const EMPTY_REPLY = {
  qr: true,
  aa: false,
  tc: false,
  ra: false,
  ad: false,
  cd: false,
  answers: [],
  authorities: [],
  additionals: [],
} as const

/** The AA bit. */
const isAuthoritative = (reply: Uint8Array): boolean => (byteAt(reply, 2) & 4) !== 0

/** Returns a reply without records. */
export function replyTo(message: Message, rcode: number, aa = false): Uint8Array {
  const { id, opcode, rd, questions, edns } = message
  const options = edns && {
    edns: { udpPayloadSize: MAX_PAYLOAD_OCTETS, version: 0, dnssecOk: false, options: [] },
  }
  return encodeMessage({ ...EMPTY_REPLY, id, opcode, rd, aa, questions, rcode, ...options })
}

/** Returns a header-only reply, for a message whose question cannot be read. */
export function headerAlone(message: Uint8Array, rcode: number): Uint8Array {
  const header = new Uint8Array(HEADER_OCTETS)
  header.set(message.subarray(0, 4))
  header[2] = 0x80 | (byteAt(header, 2) & 0x79)
  header[3] = rcode
  return header
}

/** Sets the id that the peer used, which a forwarder may have changed after signing (RFC 8945 §5.3). */
export function withIdOf(request: Uint8Array, reply: Uint8Array): Uint8Array {
  reply.set(request.subarray(0, 2))
  return reply
}

/** Closes the source when it is closed. */
function* mapMessages(
  messages: Messages,
  map: (message: Uint8Array) => Uint8Array,
): Generator<Uint8Array | undefined, void, undefined> {
  try {
    for (let next = messages.next(); next.done !== true; next = messages.next())
      yield next.value && map(next.value)
  } finally {
    messages.return?.()
  }
}
