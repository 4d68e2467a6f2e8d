// Whether a nameserver answers for example.com.
import { createSocket } from 'node:dgram'

/** Asks for the SOA record of example.com; looks at the AA bit of the answer. */
export async function isAuthoritative(port: number): Promise<boolean> {
  const query = Buffer.from('000100000001000000000000076578616d706c6503636f6d0000060001', 'hex')
  const socket = createSocket('udp4')
  try {
    return await new Promise<boolean>((resolve, reject) => {
      socket.once('error', reject)
      socket.once('message', (answer) => resolve(((answer[2] ?? NaN) & 0x04) !== 0))
      socket.send(query, port, '127.0.0.1')
    })
  } finally {
    socket.close()
  }
}
