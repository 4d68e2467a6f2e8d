// Serials compare in a circle (RFC 1982).
const CIRCLE = 2 ** 32

/** How many steps `serial` is behind `newest`. */
export const serialsBehind = (serial: number, newest: number): number => (newest - serial + CIRCLE) % CIRCLE
