// Content that names a host: CNAME, MX, NS, SRV targets.
import { domainToASCII } from 'node:url'
import { NameError, parseName, ROOT, type Name } from '@zonereeve/dns'

/** Parses a host name; accepts `@` for the apex, and U-labels. Undefined for an invalid domain name. */
export function readHost(text: string, apex: Name): Name | undefined {
  const trimmed = text.trim()
  if (trimmed === '@') return apex
  try {
    return parseName(/^[\p{ASCII}]*$/u.test(trimmed) ? trimmed : domainToASCII(trimmed))
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** Host names are shown without their trailing dot; the root stays a dot. */
export const showHost = (name: Name): string => (name === ROOT ? '.' : name)
