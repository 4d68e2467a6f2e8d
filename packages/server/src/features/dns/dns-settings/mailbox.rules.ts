// The mailbox of an SOA: as a name, or as the e-mail address that the name represents (RFC 1035 §3.3.13, §8).
import { isHostname, NameError, parentOf, parseName, ROOT, type Name } from '@zonereeve/dns'
import { toAscii } from '../../zones/index.ts'

/** Parses both `dns\.team.example.com` and `dns.team@example.com`. @returns the name, or the problem. */
export function readMailbox(text: string): { readonly name: Name } | { readonly problem: string } {
  try {
    const name = parseName(asName(text))
    const host = parentOf(name)
    if (host === undefined || host === ROOT) return { problem: 'it has no domain' }
    if (!isHostname(host, { underscore: true })) return { problem: `${host} is not a host name` }
    return { name }
  } catch (error) {
    if (error instanceof NameError) return { problem: error.message }
    throw error
  }
}

/** An unescaped at-sign marks an address: dots before it belong to the first label. */
function asName(text: string): string {
  const at = /(?<!\\)@/.exec(text)?.index
  if (at === undefined) return text
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (local === '') throw new NameError('name.empty-label', 0, 'the part before the at-sign is empty')
  return `${local.replaceAll(/[.\\]/g, String.raw`\$&`)}.${toAscii(domain)}`
}
