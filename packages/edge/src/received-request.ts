// Reads what Node's HTTP server has received: header lines, and the start of a body without losing the rest.
import type { IncomingMessage } from 'node:http'
import type { Bytes, HeaderLine } from '@zonereeve/expr'

/** The header lines of a message as received, without some. Node has them with one character for each octet. */
export function headerLines(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  isLeftOut: (name: string) => boolean = () => false,
): HeaderLine[] {
  const lines: HeaderLine[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index], rawHeaders[index + 1]]
    if (name !== undefined && value !== undefined && !isLeftOut(name.toLowerCase())) lines.push([name, value])
  }
  return lines
}

/** The only value of a header; undefined if it is missing. Repeated ones are joined, as Node does. */
export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): Bytes | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The start of a body, and an iterator over the whole of it. */
export interface StartedBody {
  readonly octets: Buffer
  /** True if there is more, or nothing more came in time. */
  readonly isTruncated: boolean
  /** What was read, and then the rest. */
  readonly whole: AsyncIterable<Buffer>
}

/**
 * Reads up to `maxBytes` of a body.
 *
 * @param maxMillis how long to wait: a client may send its body slowly, or only after it gets a part of the response.
 */
export async function startBody(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  maxMillis: number,
): Promise<StartedBody> {
  const iterator = body[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let size = 0
  let pending: Promise<IteratorResult<Buffer>> | undefined
  let isEnded = false
  const deadline = deadlineAfter(maxMillis)
  while (size < maxBytes) {
    pending ??= iterator.next()
    const next = await Promise.race([pending, deadline.passed])
    if (next === 'passed') break
    pending = undefined
    if (next.done === true) {
      isEnded = true
      break
    }
    chunks.push(next.value)
    size += next.value.length
  }
  deadline.clear()
  pending?.catch(() => undefined) // reported by whoever reads on
  return { octets: Buffer.concat(chunks), isTruncated: !isEnded, whole: { [Symbol.asyncIterator]: rest } }

  async function* rest(): AsyncGenerator<Buffer> {
    yield* chunks
    while (!isEnded) {
      const next = await (pending ?? iterator.next())
      pending = undefined
      if (next.done === true) return
      yield next.value
    }
  }
}

function deadlineAfter(millis: number): { readonly passed: Promise<'passed'>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<'passed'>((resolve) => {
    timer = setTimeout(() => resolve('passed'), millis)
  })
  return { passed, clear: () => clearTimeout(timer) }
}
