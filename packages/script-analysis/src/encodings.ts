// Encodings in which scripts hide strings, decoded leniently and in linear time.

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/u

/** Decodes base64 to a string of octets, as atob does. null: not base64. */
export function decodeBase64(text: string): string | null {
  const plain = text.replaceAll(/[\t\n\f\r ]/gu, '')
  return plain === '' || !BASE64.test(plain) || plain.replace(/=+$/u, '').length % 4 === 1
    ? null
    : Buffer.from(plain, 'base64').toString('latin1')
}

/** `%41`, `%u0041`. */
export function unescapeText(text: string): string {
  return text.replaceAll(/%u([\da-f]{4})|%([\da-f]{2})/giu, (_, wide?: string, narrow?: string) =>
    String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16)),
  )
}

/** Two hex digits per octet; null: not hex, or not printable. */
export function decodeHex(text: string): string | null {
  if (text.length < 16 || text.length % 2 === 1 || !/^[\da-f]+$/iu.test(text)) return null
  const decoded = Buffer.from(text, 'hex').toString('latin1')
  return isReadable(decoded) ? decoded : null
}

/** Whether nine in ten characters are printable ASCII. */
export function isReadable(text: string): boolean {
  let printable = 0
  const looked = Math.min(text.length, 2000)
  for (let i = 0; i < looked; i += 1) {
    const code = text.charCodeAt(i)
    if ((code >= 32 && code < 127) || code === 10 || code === 13 || code === 9) printable += 1
  }
  return looked > 0 && printable >= looked * 0.9
}

/**
 * The decoded content of a string that looks encoded: base64 of readable text, hex digits, percent escapes. null:
 * none.
 */
export function decodeText(text: string): string | null {
  if (text.length < 12 || text.length > 200_000) return null
  if (/%u?[\da-f]{2}/iu.test(text)) return unescapeText(text)
  const hex = decodeHex(text)
  if (hex !== null) return hex
  if (!/[A-Z]/u.test(text) || !/[a-z]/u.test(text)) return null
  const decoded = decodeBase64(text)
  return decoded !== null && isReadable(decoded) ? decoded : null
}
