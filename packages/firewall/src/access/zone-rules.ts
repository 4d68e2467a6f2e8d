// Zone lockdown and user-agent rules: what clients may send, and the conditions that they stand for.
import {
  compileExpression,
  type Condition,
  ExprError,
  ipText,
  networkAddress,
  parseIp,
  withoutMapping,
} from '@zonereeve/expr'
import { schemeOf } from '../rulesets/phases.ts'
import { conjunction, patternCondition, quote } from '../url-condition.ts'
import { type AccessMode, isMapped, mappedRangeProblem } from './access-rule.ts'

/** Only these addresses may request these URLs. */
export interface Lockdown {
  readonly id: string
  readonly description: string
  readonly urls: readonly string[]
  /** Addresses and networks. */
  readonly addresses: readonly string[]
}

export interface UserAgentRule {
  readonly id: string
  readonly description: string
  /** The whole header. */
  readonly userAgent: string
  readonly mode: Exclude<AccessMode, 'whitelist'>
}

/** A condition, and how it is shown. */
export interface WrittenCondition {
  readonly expression: string
  readonly matches: Condition
}

/** All rules of these products are of zones, and see what custom rules see. */
export const PRODUCT_SCHEME = schemeOf('http_request_firewall_custom', 'zone')

/** What is wrong with a URL of a lockdown; undefined if nothing is. */
export function lockdownUrlProblem(url: string): string | undefined {
  const rest = url.replace(/^[a-z*]*:\/\//i, '')
  const host = rest.replace(/[/?].*$/s, '')
  if (host === '' || /[\s\p{Cc}"\\]/u.test(url)) return `${url} is not a URL such as www.example.com/admin*`
  if (host.includes(':')) return `${url} has a port; a lockdown is for all ports`
  if (url.includes('://') && patternCondition(url) === null)
    return `${url} has a scheme that is neither http nor https`
  return expressionProblem(url)
}

/** The expression of a rule is shown to users: that of each URL must be one that they could write themselves. */
function expressionProblem(url: string): string | undefined {
  try {
    compileExpression(urlExpression(url), PRODUCT_SCHEME)
    return undefined
  } catch (error) {
    if (!(error instanceof ExprError)) throw error
    return error.kind === 'length-limit-exceeded'
      ? 'the URL is too long once it is percent-encoded'
      : `${url} cannot be a condition: ${error.message}`
  }
}

/** An address or network of a lockdown in the form in which two spellings of the same are equal. */
export function readLockdownAddress(
  target: 'ip' | 'ip_range',
  sent: string,
): { value: string } | { problem: string } {
  const [address = '', prefix, ...rest] = sent.split('/')
  const ip = parseIp(address)
  const isRange = target === 'ip_range'
  if (ip === undefined || rest.length > 0 || isRange !== (prefix !== undefined))
    return {
      problem: isRange ? `${sent} is not a network such as 192.0.2.0/24` : `${sent} is not an address`,
    }
  if (prefix === undefined) return { value: ipText(withoutMapping(ip)) }
  if (isMapped(ip)) return { problem: mappedRangeProblem(sent) }
  const bits = ip.family === 4 ? 32 : 128
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits || Number(prefix) === 0)
    return { problem: `the prefix must be from /1 to /${bits}; got ${sent}` }
  return { value: `${ipText(networkAddress(ip, Number(prefix)))}/${Number(prefix)}` }
}

/**
 * Texts of the server's own are bounded by what it accepts: 250 networks, or a long header, are longer than an expression
 * of a user may be. One such rule must not make the zone's whole configuration fail.
 */
const compileOwn = (expression: string): Condition =>
  compileExpression(expression, PRODUCT_SCHEME, { limits: { maxExpressionBytes: Number.POSITIVE_INFINITY } })

/** @throws if a URL or an address is not as the server accepts it. */
export function lockdownCondition({ urls, addresses }: Lockdown): WrittenCondition {
  const conditions = urls.map(urlExpression)
  const allowed = `ip.src in {${addresses.join(' ')}}`
  const matching = conditions.map(compileOwn)
  const isAllowed = compileOwn(allowed)
  const joined =
    conditions.length === 1 ? conditions.join('') : conditions.map((one) => `(${one})`).join(' or ')
  return {
    expression: `(${joined}) and not ${allowed}`,
    matches: (context) => matching.some((matches) => matches(context)) && !isAllowed(context),
  }
}

/** Without a path, all of the host. */
function urlExpression(url: string): string {
  const hasPath = /[/?]/.test(url.replace(/^[a-z*]*:\/\//i, ''))
  const condition = patternCondition(hasPath ? url : `${url}/*`)
  if (condition === null) throw new Error(`no URL matches ${url}`)
  return conjunction(condition)
}

export function userAgentCondition({ userAgent }: UserAgentRule): WrittenCondition {
  const expression = `http.user_agent eq ${quote(userAgent)}`
  return { expression, matches: compileOwn(expression) }
}
