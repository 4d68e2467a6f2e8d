// Agents that decide nothing: what a proxy and Node need for the question and the answer alone, and so the least that an edge can
// cost. One answers nginx and Caddy (HTTP), the other one HAProxy (SPOP); they write their ports.
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

const HTTP_PASSED = 204
const LENGTH_BYTES = 4
/** Type and flags. */
const HEAD_BYTES = 5
const [HELLO, NOTIFY, AGENT_HELLO, ACK] = [1, 3, 101, 103]
/** Type, final, stream 0, frame 0. */
const GREETING_HEAD = [AGENT_HELLO, 0, 0, 0, 1, 0, 0]
const textOctets = (value: string): number[] => [value.length, ...Buffer.from(value, 'latin1')]
const stringOctets = (value: string): number[] => [8, ...textOctets(value)]
/** version, max-frame-size (uint32 65,532 in SPOP's form of integers), capabilities. */
const GREETING = Buffer.from([
  ...GREETING_HEAD,
  ...textOctets('version'),
  ...stringOctets('2.0'),
  ...textOctets('max-frame-size'),
  3,
  0xfc,
  0xf0,
  0x1e,
  ...textOctets('capabilities'),
  ...stringOctets('pipelining'),
])
/** Sets the variable without which the configuration refuses requests. */
const RAY = Buffer.from([1, 3, 2, ...textOctets('ray'), ...stringOctets('0123456789abcdef')])

const http = createHttpServer((request, response) => {
  request.resume()
  response.writeHead(HTTP_PASSED, { 'x-ray-id': '0123456789abcdef' }).end()
})
http.keepAliveTimeout = 180_000
const spop = createServer({ noDelay: true }, answerFrames)
console.log(JSON.stringify({ decisions: await portOf(http), spop: await portOf(spop) }))

function answerFrames(socket: Socket): void {
  let received = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answers: Buffer[] = []
    let position = 0
    while (received.length - position >= LENGTH_BYTES) {
      const end = position + LENGTH_BYTES + received.readUInt32BE(position)
      if (received.length < end) break
      const answer = answerTo(received.subarray(position + LENGTH_BYTES, end))
      if (answer !== undefined) answers.push(answer)
      position = end
    }
    received = received.subarray(position)
    if (answers.length > 0) socket.write(Buffer.concat(answers))
  })
}

function answerTo(frame: Buffer): Buffer | undefined {
  if (frame[0] === HELLO) return withLength(GREETING)
  if (frame[0] !== NOTIFY) return undefined
  let end = HEAD_BYTES
  for (let ids = 0; ids < 2; ids += 1) {
    // Small integers have one octet; in others, the last one is below 128.
    if ((frame[end] ?? 0) >= 240)
      do end += 1
      while ((frame[end] ?? 0) >= 128)
    end += 1
  }
  return withLength(Buffer.concat([Buffer.of(ACK, 0, 0, 0, 1), frame.subarray(HEAD_BYTES, end), RAY]))
}

function withLength(frame: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(frame.length)
  return Buffer.concat([length, frame])
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // it listens on a port
}
