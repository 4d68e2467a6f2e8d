// Ad blocker lists such as NoCoin. Of their rules, only those that name a host (`||host^`) or begin with a
// URL (`|https://host/path`) are used. Rules that hide elements, allow something, or match parts of URLs say
// nothing about a host.
import type { FeedFormat, ChunkReading } from './format.ts'
import type { ThreatCategory } from '../../page-shield/index.ts'

/** Options that restrict a rule to contexts that do not apply to our pages. */
const NARROWED =
  /(?:^|,)(?:domain|from|to|method|denyallow|ipaddress|badfilter|~script|csp|removeparam|redirect)\b/i
const ELEMENT = /#[@?$%]*#/

export const adblock = {
  name: 'adblock',
  categories: 'of-feed',
  begin: (categories) => (line) => readRule(line.trim(), categories),
} as const satisfies FeedFormat

function readRule(rule: string, categories: readonly ThreatCategory[]): ChunkReading {
  if (rule === '' || rule.startsWith('!') || /^\[[^\]]*\]$/.test(rule)) return 'nothing'
  if (rule.startsWith('#') && !ELEMENT.test(rule)) return 'nothing'
  if (rule.startsWith('@@') || ELEMENT.test(rule) || rule.startsWith('/')) return 'passed-over'
  const dollar = rule.lastIndexOf('$')
  const pattern = dollar < 0 ? rule : rule.slice(0, dollar)
  if (dollar >= 0 && NARROWED.test(rule.slice(dollar + 1))) return 'passed-over'
  const named = /^\|\|([^/^*|:]+)\^?\|?$/.exec(pattern)?.[1]
  if (named !== undefined) return [{ kind: 'domain', host: named, categories }]
  const path = /^\|\|([^/^*|]+\/[^*^|]*)\^?\|?$/.exec(pattern)?.[1]
  if (path !== undefined) return [{ kind: 'url', url: `https://${path}`, flagsHost: false, categories }]
  const whole = /^\|(https?:\/\/[^*^|]+)\^?\|?$/i.exec(pattern)?.[1]
  if (whole !== undefined) return [{ kind: 'url', url: whole, flagsHost: false, categories }]
  // Any other string is a pattern for parts of URLs, if it looks like one.
  return /[\s<>"]/.test(pattern) ? 'unreadable' : 'passed-over'
}
