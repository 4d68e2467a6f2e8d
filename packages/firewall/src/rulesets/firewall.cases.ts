// Short notation of rulesets for tests of decisions.
import { runAtOnce } from '@zonereeve/cooperate'
import { parseIp, utf8 } from '@zonereeve/expr'
import { inspect, type InspectedRequest } from '../managed-rules/inspected-request.ts'
import type { ActionName } from './actions/registry.ts'
import { compileRuleset } from './compiled-ruleset.ts'
import type { Firewall } from './evaluate-request.ts'
import type { PhaseName } from './phases.ts'
import type { JsonObject, Level, Rule, Ruleset } from './ruleset.ts'

export interface ShortRule {
  readonly id: string
  readonly action: ActionName
  /** Default: `true`. */
  readonly expression?: string
  readonly parameters?: JsonObject
  readonly enabled?: boolean
  readonly isCounted?: boolean
}

export interface ShortRuleset {
  readonly id: string
  readonly level: Level
  readonly phase: PhaseName
  readonly isCustom?: boolean
  readonly rules: readonly ShortRule[]
}

export function rulesetOf({ id, level, phase, isCustom = false, rules }: ShortRuleset): Ruleset {
  return {
    id,
    owner: { level, id: level },
    kind: isCustom ? 'custom' : level === 'zone' ? 'zone' : 'root',
    phase,
    name: id,
    description: '',
    version: 1,
    lastUpdated: '',
    rules: rules.map(ruleOf),
  }
}

const LIMIT = { characteristics: ['ip.src'], period: 10, requests_per_period: 5 }

function ruleOf({ id, action, expression = 'true', parameters, enabled = true, isCounted }: ShortRule): Rule {
  const definition = {
    action,
    expression,
    enabled,
    ...(parameters === undefined ? {} : { parameters }),
    ...(isCounted === true && { ratelimit: LIMIT }),
  }
  return { id, version: 1, ref: id, lastUpdated: '', regexBytes: 0, definition }
}

export function firewallOf(rulesets: readonly ShortRuleset[]): Firewall {
  const compiled = rulesets.map((short) => ({ short, ruleset: runAtOnce(compileRuleset(rulesetOf(short))) }))
  const entryPoints = (level: Level) =>
    new Map(
      compiled
        .filter(({ short }) => short.isCustom !== true && short.level === level)
        .map(({ ruleset }) => [ruleset.phase, ruleset] as const),
    )
  return {
    entryPoints: { account: entryPoints('account'), zone: entryPoints('zone') },
    custom: new Map(
      compiled.filter(({ short }) => short.isCustom === true).map(({ ruleset }) => [ruleset.id, ruleset]),
    ),
  }
}

/** A GET of `target`. */
export function requestFor(target: string): InspectedRequest {
  const clientIp = parseIp('192.0.2.7')
  if (clientIp === undefined) throw new Error('no address')
  return inspect(
    {
      method: 'GET',
      version: 'HTTP/1.1',
      isTls: true,
      host: 'www.example.com',
      target: utf8(target),
      headers: [
        ['host', 'www.example.com'],
        ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
        ['accept', '*/*'],
      ],
      clientIp,
      receivedAtMs: 0,
      zone: { name: 'example.com', plan: 'ENT' },
    },
    new Uint8Array(),
  )
}
