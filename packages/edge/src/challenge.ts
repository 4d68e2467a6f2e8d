// Challenges: a browser does some work (finding a number whose hash begins with zeros) and gets a clearance, a cookie
// that is valid for this host, network and rule. Nothing is stored: tokens and clearances are signed.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Bytes, type HeaderLine, ipText, type Ip } from '@zonereeve/expr'

/** Where the solution is sent; the page is shown at the address that was asked for. */
export const CHALLENGE_PATH = '/cdn-cgi/challenge/verify'

/** Leading zero bits that a solution needs: some 30,000 attempts on average, about a second in a browser. */
const DIFFICULTY_BITS = 15
/** How long a page may take to send its solution. */
const TOKEN_MILLIS = 5 * 60_000
const CLEARANCE_MILLIS = 30 * 60_000
const MAX_SOLUTION_DIGITS = 12
const COOKIE_PREFIX = 'edge-clearance-'
const KEY_BYTES = 32

/** Who a clearance is for. */
export interface Challenged {
  /** In lower case, without a port. */
  readonly host: string
  readonly clientIp: Ip
  readonly isTls: boolean
}

export interface OfferedChallenge {
  readonly token: string
  readonly difficultyBits: number
  /** Whether the reader must press a button. */
  readonly isInteractive: boolean
}

export interface Clearance {
  /** The value of the header `Set-Cookie`; undefined if the solution is wrong, too late, or for somebody else. */
  readonly setCookie: string | undefined
  /** Path and query to go back to. */
  readonly target: string
}

export type Challenges = ReturnType<typeof createChallenges>

/** @param key shared by all edges of a site; undefined: only this process knows its clearances. */
export function createChallenges(key: Uint8Array | undefined) {
  const secret = key ?? randomBytes(KEY_BYTES)
  return { offer, verify, isCleared }

  function offer(
    ruleId: string,
    challenged: Challenged,
    isInteractive: boolean,
    nowMillis: number,
  ): OfferedChallenge {
    const head = `${ruleId}.${nowMillis + TOKEN_MILLIS}`
    return {
      token: `${head}.${sign('token', head, challenged)}`,
      difficultyBits: DIFFICULTY_BITS,
      isInteractive,
    }
  }

  /**
   * Checks a solution.
   *
   * @param target path and query of the request: `t` is the token, `n` the solution, `to` where to go then.
   */
  function verify(target: Bytes, challenged: Challenged, nowMillis: number): Clearance {
    const query = new URLSearchParams(target.slice(target.indexOf('?') + 1))
    const [token, solution, to] = [query.get('t'), query.get('n'), query.get('to')]
    const refused = { setCookie: undefined, target: ownTarget(to) }
    const ruleId = token === null ? undefined : readSigned('token', token, challenged, nowMillis)
    if (ruleId === undefined || token === null || solution === null) return refused
    if (!/^\d+$/.test(solution) || solution.length > MAX_SOLUTION_DIGITS) return refused
    if (leadingZeros(createHash('sha256').update(`${token}.${solution}`).digest()) < DIFFICULTY_BITS)
      return refused
    const head = `${ruleId}.${nowMillis + CLEARANCE_MILLIS}`
    const value = `${head}.${sign('clearance', head, challenged)}`
    const attributes = `Max-Age=${CLEARANCE_MILLIS / 1_000}; Path=/; HttpOnly; SameSite=Lax`
    const setCookie = `${COOKIE_PREFIX}${ruleId}=${value}; ${attributes}${challenged.isTls ? '; Secure' : ''}`
    return { setCookie, target: ownTarget(to) }
  }

  /** Whether the request has a clearance for the rule. */
  function isCleared(
    ruleId: string,
    headers: readonly HeaderLine[],
    challenged: Challenged,
    nowMillis: number,
  ): boolean {
    for (const [name, line] of headers) {
      if (name.toLowerCase() !== 'cookie' || !line.includes(COOKIE_PREFIX)) continue
      for (const cookie of line.split(';')) {
        const [own = '', value = ''] = cookie.trim().split('=', 2)
        if (own !== COOKIE_PREFIX + ruleId) continue
        if (readSigned('clearance', value, challenged, nowMillis) === ruleId) return true
      }
    }
    return false
  }

  /** @returns the rule of a token or clearance; undefined if it was not signed for this client, or is over. */
  function readSigned(
    purpose: 'token' | 'clearance',
    text: string,
    challenged: Challenged,
    nowMillis: number,
  ): string | undefined {
    const [ruleId = '', ends = '', signature = '', ...more] = text.split('.')
    if (more.length > 0 || !(Number(ends) > nowMillis)) return undefined
    const expected = Buffer.from(sign(purpose, `${ruleId}.${ends}`, challenged))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected) ? ruleId : undefined
  }

  function sign(purpose: string, head: string, { host, clientIp }: Challenged): string {
    const bound = JSON.stringify([purpose, head, host, networkOf(clientIp)])
    return createHmac('sha256', secret).update(bound).digest('base64url')
  }
}

const V4_OCTETS = 3
const V6_GROUPS = 4

/** The network of a client: /24 or /64. Addresses change within it. */
function networkOf(ip: Ip): string {
  const text = ipText(ip)
  if (!text.includes(':')) return text.split('.').slice(0, V4_OCTETS).join('.')
  const [before = '', after] = text.split('::', 2)
  const groups = before.split(':')
  const rest = after === undefined ? [] : after.split(':')
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return [...groups, ...(after === undefined ? [] : zeros), ...rest].slice(0, V6_GROUPS).join(':')
}

function leadingZeros(hash: Uint8Array): number {
  let zeros = 0
  for (const octet of hash) {
    zeros += Math.clz32(octet) - 24
    if (octet !== 0) break
  }
  return zeros
}

/** A path of the same site: two slashes or a backslash would lead to another one. */
const ownTarget = (to: string | null): string =>
  to !== null && /^\/(?![/\\])[^\r\n]*$/.test(to) && !to.startsWith(CHALLENGE_PATH) ? to : '/'
