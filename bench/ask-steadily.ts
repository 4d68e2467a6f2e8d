// Asks a nameserver for one name, evenly spaced, in a process of its own: whatever its parent does, the questions leave in time.
// Arguments: the port, the name, questions a second. To each message it replies with what the answers since the last one
// waited.
import { createSocket } from 'node:dgram'
import { encode } from 'dns-packet'

/** What answers waited, in milliseconds. */
export interface Waited {
  readonly questions: number
  /** Questions whose answer is not there yet, the oldest of which counts as if it had come now. */
  readonly unanswered: number
  readonly longestMs: number
  /** Each answer's, in no order. */
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
    const told: Waited = {
      questions,
      unanswered: open.length,
      longestMs: Math.max(0, ...waits, ...open),
      waits,
    }
    waits = []
    sentAt.clear()
    process.send?.(told)
  })
  process.on('disconnect', () => process.exit())
}
