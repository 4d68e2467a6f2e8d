// Queries a nameserver for one name at a steady rate, in its own process, so that work of the parent delays no query.
// Arguments: port, name, queries per second. It replies to each message with the answers' delays since the last one.
import { createSocket } from 'node:dgram'
import { encode } from 'dns-packet'

/** Delays of answers, in milliseconds. */
export interface Waited {
  readonly questions: number
  /** Queries without an answer yet; they count as answered now. */
  readonly unanswered: number
  readonly longestMs: number
  /** Delay of each answer, unordered. */
  readonly waits: readonly number[]
}

const IDS = 65_536

if (process.send !== undefined) askSteadily()

function askSteadily(): void {
  const [, , port = '', name = '', perSecond = ''] = process.argv
  const socket = createSocket('udp4')
  const question = encode({ type: 'query', questions: [{ type: 'A', class: 'IN', name }] })
  const sentAt = new Map<number, number>()
  let waits: number[] = []
  let sent = 0
  socket.on('message', (answer) => {
    const id = answer.readUInt16BE(0)
    const at = sentAt.get(id)
    if (at === undefined) return
    sentAt.delete(id)
    waits.push(performance.now() - at)
  })
  const began = performance.now()
  setInterval(() => {
    const due = ((performance.now() - began) * Number(perSecond)) / 1000
    for (; sent < due; sent++) {
      question.writeUInt16BE(sent % IDS, 0)
      sentAt.set(sent % IDS, performance.now())
      socket.send(Buffer.from(question), Number(port), '127.0.0.1')
    }
  }, 2)
  process.on('message', () => {
    const open = [...sentAt.values()].map((at) => performance.now() - at)
    const questions = waits.length + open.length
    const reported: Waited = {
      questions,
      unanswered: open.length,
      longestMs: Math.max(0, ...waits, ...open),
      waits,
    }
    waits = []
    sentAt.clear()
    process.send?.(reported)
  })
  process.on('disconnect', () => process.exit())
}
