// The form of a request as the API takes it.
import type { TracedRequest } from '../../api/firewall-trace.ts'

export interface RequestForm {
  readonly method: string
  readonly url: string
  readonly ip: string
  /** One header in a line. */
  readonly headers: string
  readonly body: string
}

const HEADER = /^([^\s:]+):\s*(.*)$/

/** The first line that is no header; undefined if all are. */
export const wrongHeader = (headers: string): string | undefined =>
  linesOf(headers).find((line) => !HEADER.test(line))

const linesOf = (headers: string): string[] =>
  headers
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Fields that are empty are left out. */
export function describedRequest({ method, url, ip, headers, body }: RequestForm): TracedRequest {
  const byName: Record<string, string[]> = {}
  for (const line of linesOf(headers)) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const known = byName[name.toLowerCase()] ?? [] // the first value
    byName[name.toLowerCase()] = [...known, value]
  }
  return {
    method: method.trim(),
    url: url.trim(),
    ...(ip.trim() === '' ? {} : { ip: ip.trim() }),
    ...(Object.keys(byName).length === 0 ? {} : { headers: byName }),
    ...(body === '' ? {} : { body }),
  }
}
