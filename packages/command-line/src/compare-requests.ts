// What both versions of the managed rules decide about recorded requests, by the engine itself. Runs in threads.
import { isIP } from 'node:net'
import { runAtOnce } from '@zonereeve/cooperate'
import {
  compileRuleset,
  compileZone,
  completeFacts,
  decideRequest,
  type DecidingZone,
  inspect,
  legacyOutcome,
  readDescribedRequest,
  replaceCoreRuleSet,
  type Ruleset,
  rulesetOutcome,
  warmUpDecisions,
  type WrittenZoneConfiguration,
} from '@zonereeve/firewall'
import {
  isRequestOfZone,
  readLog,
  readRecordedRequests,
  type RecordedRequest,
} from '@zonereeve/firewall/recorded-requests.ts'

/** What decides, as plain data. */
export interface ComparedZone {
  readonly name: string
  readonly plan: 'free' | 'pro' | 'business' | 'enterprise'
  readonly configuration: WrittenZoneConfiguration
  /** The entry point that the migration would deploy; undefined: the zone's own decides. */
  readonly planned: Ruleset | undefined
  readonly coreRuleSet: Parameters<typeof replaceCoreRuleSet>[0]
  /** For logs, which contain no host. */
  readonly host: string
}

/** A part of a file: whole lines of a log, or a whole HAR file. */
export interface RecordingPart {
  readonly text: string
  readonly isLog: boolean
  /** Lines before it. */
  readonly before: number
}

/** A request that both versions decide differently. */
export interface Difference {
  readonly place: number
  readonly method: string
  readonly url: string
  readonly old: string
  readonly old_rule: string | null
  readonly new: string
  readonly new_rule: string | null
}

/** Requests that the new rules stop by one rule. */
export interface StoppedGroup {
  readonly action: string
  readonly rule: string | null
  readonly description: string
  requests: number
  /** How many of them the old rules have stopped, too. */
  before: number
  readonly examples: string[]
}

export interface ComparedPart {
  compared: number
  elsewhere: number
  unread: number
  rejected: number
  /** The first ones. */
  readonly refusals: string[]
  differing: number
  /** The first ones. */
  readonly differences: Difference[]
  readonly stopped: StoppedGroup[]
}

export const MAX_REFUSALS = 5
export const MAX_DIFFERENCES = 1_000
export const MAX_EXAMPLES = 3
const MAX_EXAMPLE_LENGTH = 200

export const emptyPart = (): ComparedPart => ({
  compared: 0,
  elsewhere: 0,
  unread: 0,
  rejected: 0,
  refusals: [],
  differing: 0,
  differences: [],
  stopped: [],
})

/** @throws if the configuration cannot be compiled. */
export async function createComparer(zone: ComparedZone) {
  await replaceCoreRuleSet(zone.coreRuleSet)
  await warmUpDecisions()
  const compiled = runAtOnce(compileZone(zone.configuration))
  const deciding = { ...compiled, firewall: withPlanned(compiled.firewall, zone.planned) }
  const isAddress = (text: string): boolean => isIP(text) !== 0
  return { compare }

  /** @throws Error for a file that is no HAR file. */
  function compare({ text, isLog, before }: RecordingPart): ComparedPart {
    const found = emptyPart()
    const options = { host: zone.host, isAddress }
    const read = isLog ? readLog(text, options, before) : readRecordedRequests(text, options)
    found.unread = read.unread
    for (const request of read.requests) {
      if (!isRequestOfZone(request, zone.name)) found.elsewhere += 1
      else compareOne(deciding, zone, request, found)
    }
    return found
  }
}

function withPlanned(
  firewall: DecidingZone['firewall'],
  planned: Ruleset | undefined,
): DecidingZone['firewall'] {
  if (planned === undefined) return firewall
  const zone = new Map(firewall.entryPoints.zone).set(planned.phase, runAtOnce(compileRuleset(planned)))
  return { ...firewall, entryPoints: { ...firewall.entryPoints, zone } }
}

/** As logs and HAR files have no version that matters here, and many have no address. */
const ASSUMED = { version: 'HTTP/1.1', ip: '192.0.2.1', bodyBase64: undefined } as const
const PASSING = ['allow', 'log']

function compareOne(
  deciding: DecidingZone,
  { name, plan }: ComparedZone,
  { place, method, url, headers, body, ip = ASSUMED.ip }: RecordedRequest,
  found: ComparedPart,
): void {
  const read = readDescribedRequest(
    { ...ASSUMED, method, url, headers, body, ip },
    { name, plan },
    Date.now(),
  )
  if (!('facts' in read)) {
    found.rejected += 1
    const problems = read.map(({ values }) => String(values?.['problem']))
    if (found.refusals.length < MAX_REFUSALS)
      found.refusals.push(`request ${place} of the file: ${problems.join('; ')}`)
    return
  }
  const request = inspect(completeFacts(read.facts, deciding), read.body)
  const { verdict, legacy } = decideRequest(deciding, request, { isComplete: true })
  const old = legacyOutcome(legacy)
  const { action, by } = rulesetOutcome(verdict)
  found.compared += 1
  if (old.action !== action) {
    found.differing += 1
    if (found.differences.length < MAX_DIFFERENCES)
      found.differences.push({
        place,
        method,
        url,
        old: old.action,
        old_rule: old.ruleId,
        new: action,
        new_rule: by?.ruleId ?? null, // no rule decided
      })
  }
  if (PASSING.includes(action)) return
  addStopped(found.stopped, {
    action,
    rule: by?.ruleId ?? null, // as above
    description: by?.description ?? '', // rules need not have one
    requests: 1,
    before: PASSING.includes(old.action) ? 0 : 1,
    examples: [`${method} ${url}`.slice(0, MAX_EXAMPLE_LENGTH)],
  })
}

/** Adds to the group of the same rule and action. */
export function addStopped(groups: StoppedGroup[], added: StoppedGroup): void {
  const known = groups.find(({ action, rule }) => action === added.action && rule === added.rule)
  if (known === undefined) {
    groups.push({ ...added, examples: [...added.examples] })
    return
  }
  known.requests += added.requests
  known.before += added.before
  for (const example of added.examples)
    if (known.examples.length < MAX_EXAMPLES && !known.examples.includes(example))
      known.examples.push(example)
}
