// Queries a nameserver for one name every 5 ms, in its own process, so that no other work delays the queries.
// Arguments: host, port, name. It replies to each message of its parent with the measurements since the last one.
import { createSocket } from 'node:dgram'
import { encode } from 'dns-packet'

/** Measurements of one interval; all times in milliseconds. */
export interface Measured {
  readonly questions: number
  /** Queries without an answer after `LOST_AFTER_MS`. */
  readonly lost: number
  readonly refused: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly longestMs: number
  /** The longest delay of this process's own timer: a lower bound for delays caused by the machine. */
  readonly ownDelayMs: number
}

const EVERY_MS = 5
const LOST_AFTER_MS = 5_000
const IDS = 65_536

if (process.send !== undefined) askAllTheTime()

function askAllTheTime(): void {
  const [, , host = '', port = '', name = ''] = process.argv
  const socket = createSocket('udp4')
  socket.on('error', () => {}) // a program that restarts refuses packets: the query counts as lost
  const question = encode({ type: 'query', questions: [{ type: 'A', class: 'IN', name }] })
  const sentAt = new Map<number, number>()
  let waits: number[] = []
  let lost = 0
  let refused = 0
  let ownDelayMs = 0
  let last = performance.now()
  let sent = 0
  socket.on('message', (answer) => {
    const id = answer.readUInt16BE(0)
    const at = sentAt.get(id)
    if (at === undefined) return
    sentAt.delete(id)
    waits.push(performance.now() - at)
    if ((answer.readUInt8(3) & 15) !== 0) refused++
  })
  setInterval(() => {
    const now = performance.now()
    ownDelayMs = Math.max(ownDelayMs, now - last - EVERY_MS)
    last = now
    for (const [id, at] of sentAt) {
      if (now - at < LOST_AFTER_MS) break // in the order of sending
      sentAt.delete(id)
      lost++
    }
    sent++
    question.writeUInt16BE(sent % IDS, 0)
    sentAt.set(sent % IDS, now)
    socket.send(Buffer.from(question), Number(port), host)
  }, EVERY_MS)
  process.on('message', () => {
    const sorted = waits.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
    const measured: Measured = {
      questions: sorted.length + lost,
      lost,
      refused,
      medianMs: at(0.5),
      p99Ms: at(0.99),
      longestMs: sorted.at(-1) ?? 0,
      ownDelayMs,
    }
    waits = []
    lost = 0
    refused = 0
    ownDelayMs = 0
    process.send?.(measured)
  })
  process.on('disconnect', () => process.exit())
}
