// Serial number arithmetic for 32-bit SOA serials (RFC 1982).

const HALF = 0x8000_0000

/** Whether `a` comes after `b`. False for equal serials and for the undefined pair 2^31 apart (RFC 1982 §3.2). */
export function serialAfter(a: number, b: number): boolean {
  const distance = (a - b) >>> 0
  return distance > 0 && distance < HALF
}

/** The serial after this one; wraps from 2^32-1 to 0 (RFC 1982 §3.1). */
export function nextSerial(serial: number): number {
  return (serial + 1) >>> 0
}
