// A minimal receiver of browser reports: Node's HTTP server, JSON.parse, and one counter. bench/reports compares with
// it; it validates nothing and stores nothing.
import { createServer } from 'node:http'

let reports = 0
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const report: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (typeof report === 'object' && report !== null) reports += 1
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening ${typeof address === 'object' ? address?.port : ''}`)
})
process.once('SIGTERM', () => {
  console.log(`counted ${reports}`)
  server.close()
  server.closeAllConnections()
})
