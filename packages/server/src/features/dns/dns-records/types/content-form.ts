// Types with `data` fields also accept `content` in presentation format. Invalid content is one mistake: it is
// reported as such, with an example, and not as every member of `data` that was not sent.
import type { Issue } from '@zonereeve/platform'
import type { ValueInput } from './wire-type.ts'

const DIGEST = '2bb183af…'
export const CONTENT_EXAMPLES: Readonly<Record<string, string>> = {
  CAA: '0 issue "ca.example.net"',
  CERT: '1 12345 13 AQIDBA==',
  DNSKEY: '257 3 13 AQIDBA==',
  DS: `12345 13 2 ${DIGEST}`,
  HTTPS: '1 . alpn="h2,h3"',
  LOC: '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m',
  NAPTR: '100 10 "S" "SIP+D2U" "" _sip._udp.example.com.',
  SMIMEA: `3 1 1 ${DIGEST}`,
  SRV: '5 993 mail.example.com',
  SSHFP: `4 2 ${DIGEST}`,
  SVCB: '1 svc.example.net. port=8443',
  TLSA: `3 1 1 ${DIGEST}`,
  URI: '10 "https://example.com/"',
}

/** Replaces the issues about missing fields by one issue about `content`, if there are no other issues. */
export function withContentIssue(
  type: string,
  { content = '', data }: ValueInput,
  issues: readonly Issue[],
): readonly Issue[] {
  const example = CONTENT_EXAMPLES[type]
  // Content of SRV has no priority: if only that is missing, the content was parsed.
  const isUnread =
    issues.every(({ reason }) => reason === 'record.data_required') &&
    issues.some(({ pointer }) => pointer !== '/data/priority')
  if (example === undefined || content.trim() === '' || data !== undefined || !isUnread) return issues
  const detail = `It must look like ${example}; or send its fields in data.`
  return [{ reason: 'record.content', pointer: '/content', values: { type }, detail }]
}
