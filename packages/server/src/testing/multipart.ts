// Multipart forms as clients send them (RFC 7578).
export interface Part {
  readonly name: string
  readonly value: string
  readonly filename?: string
  /** Additional header lines of the part. */
  readonly headers?: readonly string[]
}

const BOUNDARY = 'boundary-of-the-tests'
export const FORM_HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** A form with these parts. */
export function form(...parts: readonly Part[]): string {
  const strings = parts.map(({ name, value, filename, headers = [] }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const lines = [`Content-Disposition: form-data; name="${name}"${file}`, ...headers, '', value]
    return `--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n`
  })
  return `${strings.join('')}--${BOUNDARY}--\r\n`
}

/** A form with only a file, without a filename, as the SDKs send it. */
export const fileForm = (value: string): string => form({ name: 'file', value })
