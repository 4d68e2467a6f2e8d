// Compares two nameservers answer by answer: response code, AA, answers, and authorities, set for set.
import { deepEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  hexFromOctets,
  parseName,
  plainMessage,
  requireTypeCode,
  type Message,
  type ResourceRecord,
  typeText,
} from '@zonereeve/dns'

export interface Asked {
  readonly name: string
  readonly type: string
  readonly dnssecOk: boolean
  /** Whether we may prove more than the other one. */
  readonly mayProveMore?: boolean
}

interface Shown {
  readonly rcode: number
  readonly aa: boolean
  readonly answers: readonly string[]
  readonly authorities: readonly string[]
}

/** @throws an error with the first questions that are answered differently. @returns their number */
export async function requireSameAnswers(
  ports: readonly [ours: number, theirs: number],
  questions: readonly Asked[],
): Promise<number> {
  const [ours, theirs] = await Promise.all(ports.map((port) => answersOf(port, questions)))
  const differing = questions.flatMap((question, i) => {
    const [own, other] = [ours?.[i], theirs?.[i]]
    const authorities = own?.authorities.filter(
      (line) => question.mayProveMore !== true || other?.authorities.includes(line),
    )
    const isSame = JSON.stringify({ ...own, authorities }) === JSON.stringify(other)
    return isSame ? [] : [{ question, ours: own, theirs: other }]
  })
  if (differing.length > 0) {
    const [first] = differing
    const others = differing
      .slice(1, 40)
      .map(({ question: { name, type, dnssecOk } }) => `${name} ${type} ${dnssecOk}`)
    console.log(`${differing.length} of ${questions.length} differ, also: ${others.join('; ')}`)
    deepEqual({ ...first?.question, ...first?.ours }, { ...first?.question, ...first?.theirs })
  }
  return questions.length
}

const SERVFAIL = 2
const MAX_REPEATS = 10
/** Longer than the time for which one limit of signatures and hashes is valid. */
const PAUSE_MILLIS = 60

/**
 * Over one TCP connection, one after another. A question that comes when no more names may be hashed is asked again a moment
 * later.
 */
async function answersOf(port: number, questions: readonly Asked[]): Promise<readonly Shown[]> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answers: Shown[] = []
  const read = messagesOf(socket)
  try {
    for (const [i, { name, type, dnssecOk }] of questions.entries()) {
      const id = (i + 1) & 0xffff
      const questions = [{ name: parseName(name), type: requireTypeCode(type), class: CLASS.IN }]
      const edns = { udpPayloadSize: 1232, version: 0, dnssecOk, options: [] }
      const message = encodeMessage(plainMessage({ id, questions, edns }))
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      let answer: Message | undefined
      for (let repeat = 0; repeat <= MAX_REPEATS && (answer?.rcode ?? SERVFAIL) === SERVFAIL; repeat += 1) {
        if (repeat > 0) await sleep(PAUSE_MILLIS)
        socket.write(Buffer.concat([length, message]))
        const next = await read.next()
        if (next.done === true) throw new Error(`no answer to ${name} ${type}`)
        answer = decodeMessage(next.value)
      }
      if (answer !== undefined) answers.push(shown(answer))
    }
  } finally {
    socket.destroy()
  }
  return answers
}

async function* messagesOf(socket: Socket): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk as Buffer])
    while (rest.length > 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      yield rest.subarray(2, end)
      rest = rest.subarray(end)
    }
  }
}

const shown = ({ rcode, aa, answers, authorities }: Message): Shown => ({
  rcode,
  aa,
  answers: answers.map(recordText).toSorted(),
  authorities: authorities.map(recordText).toSorted(),
})

const recordText = ({ name, type, ttl, rdata }: ResourceRecord): string =>
  `${name} ${ttl} ${typeText(type)} ${hexFromOctets(rdata)}`
