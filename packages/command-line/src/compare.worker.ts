// A thread that compares parts of a recording, one after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { createComparer, type ComparedZone, type RecordingPart } from './compare-requests.ts'

const port = parentPort
if (port === null) throw new Error('not a worker')
const comparer = createComparer(workerData as ComparedZone) // sent by compare-recording.ts
// Its error is the answer to each part; a thread that gets none must not fail for it.
comparer.catch(() => undefined)
port.on('message', (part: RecordingPart) => {
  void comparer.then(
    ({ compare }) => {
      try {
        port.postMessage({ found: compare(part) })
      } catch (error) {
        port.postMessage({ problem: error instanceof Error ? error.message : String(error) })
      }
    },
    (error: unknown) => port.postMessage({ problem: String(error) }),
  )
})
