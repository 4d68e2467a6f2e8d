// A request that carries reports, apart from the server that received it.

export interface ReportRequest {
  /** Without the question mark. */
  readonly query: string
  readonly body: string
  readonly address: string
  readonly userAgent: string
  /** The request's headers; undefined if not sent. */
  readonly referer?: string | undefined
  readonly origin?: string | undefined
  readonly host?: string | undefined
}

/** @returns undefined if the body is not JSON. */
export function readBody({ body }: ReportRequest): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined // the caller counts it as malformed
  }
}
