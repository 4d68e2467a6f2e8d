// Which domain names may name a host (RFC 952, RFC 1123 §2.1). The DNS itself allows any octets (RFC 2181 §11).

import { parseIpv4 } from './address.ts'
import { labelsOf } from './name-tree.ts'
import type { Name } from './name.ts'

/** What is allowed beyond letters, digits and hyphens. */
export interface HostnameOptions {
  /** Underscores anywhere in a label, as service names and many real hosts have them (RFC 8552 §1.1). */
  readonly underscore?: boolean
  /** A leftmost label that is exactly `*` (RFC 4592). */
  readonly wildcard?: boolean
}

/** Whether every label is a host label. The root is not a host name, nor is a dotted quad (RFC 1123 §2.1). */
export function isHostname(name: Name, options: HostnameOptions = {}): boolean {
  const labels = labelsOf(name)
  if (options.wildcard === true && labels[0] === '*') labels.shift()
  else if (labels.length === 0) return false
  return labels.every((label) => isHostLabel(label, options)) && parseIpv4(name) === undefined
}

/** Whether the label is made of letters, digits and inner hyphens (RFC 1123 §2.1), 1 to 63 characters. */
export function isHostLabel(label: string, options: Pick<HostnameOptions, 'underscore'> = {}): boolean {
  return (options.underscore === true ? HOST_LABEL_OR_UNDERSCORE : HOST_LABEL).test(label)
}

const HOST_LABEL = /^(?=.{1,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i
const HOST_LABEL_OR_UNDERSCORE = /^(?=.{1,63}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i
